// ARGS: [1,2,3]:f32
// WANT: refused function-name-reserved

"memref.global"() <{sym_name = "memcpy", type = memref<4xf32>, initial_value, sym_visibility = "public"}> : () -> ()
func.func @main(%x: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1.0 : f32
  %n = memref.dim %x, %c0 : memref<?xf32>
  %g = memref.get_global @"memcpy" : memref<4xf32>
  %z = arith.constant 0.0 : f32
  %y = memref.alloc(%n) : memref<?xf32>
  "memref.copy"(%x, %y) : (memref<?xf32>, memref<?xf32>) -> ()
  scf.for %i = %c0 to %n step %c1 {
    memref.store %z, %x[%i] : memref<?xf32>
  }
  memref.store %one, %g[%c0] : memref<4xf32>
  func.return
}
