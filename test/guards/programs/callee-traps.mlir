// ARGS: [1,2,3]:f32
// WANT: trap index 77 is out of range for size 3

func.func private @g(%x: memref<?xf32>, %i: index) -> index {
  %v = memref.load %x[%i] : memref<?xf32>
  %a = arith.fptosi %v : f32 to i32
  %j = arith.index_cast %a : i32 to index
  func.return %j : index
}
func.func @main(%x: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %b = arith.constant 77 : index
  %q = func.call @g(%x, %b) : (memref<?xf32>, index) -> index
  %e = memref.load %x[%q] : memref<?xf32>
  memref.store %e, %x[%c0] : memref<?xf32>
  func.return
}
