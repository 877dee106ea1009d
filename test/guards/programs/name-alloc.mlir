// ARGS: [1,2,3]:f32
// WANT: refused function-name-reserved

func.func private @aligned_alloc(%a: i64, %b: i64) -> index {
  %c = arith.constant 64 : index
  func.return %c : index
}
func.func @main(%x: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = memref.alloc() : memref<4096xf32>
  %e = memref.load %m[%c1] : memref<4096xf32>
  memref.store %e, %x[%c0] : memref<?xf32>
  func.return
}
