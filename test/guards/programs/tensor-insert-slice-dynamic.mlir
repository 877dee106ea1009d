// ARGS: [1,2,3]:f32 [1,2,3,4,5]:f32 3
// WANT: trap offset 3 is past 2

func.func @main(%t: tensor<?xf32>, %u: tensor<?xf32>, %i: index) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %t, %c0 : tensor<?xf32>
  %r = tensor.insert_slice %t into %u[%i] [%n] [1] : tensor<?xf32> into tensor<?xf32>
  func.return %r : tensor<?xf32>
}
