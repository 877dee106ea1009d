// ARGS: [1,2,3,4,5]:f32 1000000000
// WANT: trap offset 5 is past 4

func.func @main(%u: tensor<?xf32>, %n: index) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %v = arith.constant 7.0 : f32
  %t = hologram.fill %v : (f32) -> tensor<1xf32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %u) -> (tensor<?xf32>) {
    %b = tensor.insert_slice %t into %a[%i] [1] [1] : tensor<1xf32> into tensor<?xf32>
    scf.yield %b : tensor<?xf32>
  }
  func.return %r : tensor<?xf32>
}
