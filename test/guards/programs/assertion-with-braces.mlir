// ARGS: [1,2,3]:f32
// WANT: trap {x} %s %n

func.func @main(%x: memref<?xf32>) {
  %f = arith.constant false
  cf.assert %f, "{} {0} {x} %s %n"
  func.return
}
