// RUN: hologram-opt %s -p convert-hologram-to-atlas
// EXIT: 1
// ERROR: :7:3: error: a function can't return a value of type index beside tensors \[scalar-result\]

func.func @f(%a: tensor<4xf32>, %n: index) -> (tensor<4xf32>, index) {
  %r = hologram.neg %a : tensor<4xf32>
  func.return %r, %n : tensor<4xf32>, index
}
