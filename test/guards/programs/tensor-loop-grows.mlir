// ARGS: [1,2,3,4,5]:f32 [1,2]:f32 3
// WANT: error x[0] == y[0]

func.func @main(%x: tensor<?xf32>, %y: tensor<?xf32>, %n: index) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %y) -> (tensor<?xf32>) {
    scf.yield %x : tensor<?xf32>
  }
  func.return %r : tensor<?xf32>
}
