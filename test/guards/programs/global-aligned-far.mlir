// ARGS: [1,2,3]:f32
// WANT: refused guard-alignment

"memref.global"() <{sym_name = "g", type = memref<4xf32>, initial_value, sym_visibility = "private", alignment = 1073741824 : i64}> : () -> ()
func.func @main(%x: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %one = arith.constant 1.0 : f32
  %g = memref.get_global @g : memref<4xf32>
  memref.store %one, %g[%c0] : memref<4xf32>
  func.return
}
