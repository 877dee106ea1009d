// ARGS: 1e30 [1,2,3]:f32
// WANT: trap is out of range for size 3

func.func @main(%a: f32, %x: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %w = arith.fptosi %a : f32 to i64
  %j = arith.index_cast %w : i64 to index
  memref.store %a, %x[%j] : memref<?xf32>
  func.return
}
