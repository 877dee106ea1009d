// RUN: hologram-opt %s -p convert-hologram-to-atlas
// EXIT: 1
// ERROR: :7:3: error: the sizes of 'hologram\.slice' depend on computed values and can't be.* \[shape-unknown\]

func.func @f(%a: tensor<?xf32>, %n: index, %p: i1) -> tensor<4xf32> {
  %m = arith.select %p, %n, %n : index
  %b = hologram.slice %a sizes(%m) {starts = [1 : i64], strides = [1 : i64]} : tensor<?xf32> to tensor<?xf32>
  %r = hologram.reshape %b : tensor<?xf32> to tensor<4xf32>
  func.return %r : tensor<4xf32>
}
