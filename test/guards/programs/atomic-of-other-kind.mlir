// ARGS: [1,2,3]:f32
// WANT: refused memref-rule

func.func @main(%x: memref<?xf32>) {
  %c1 = arith.constant 1 : index
  %one = arith.constant 1.0 : f32
  %r = "memref.atomic_rmw"(%one, %x, %c1) <{kind = 1 : i64}> : (f32, memref<?xf32>, index) -> f32
  func.return
}
