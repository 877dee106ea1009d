// ARGS: [1,2,3]:f32
// WANT: refused memref-rule

"memref.global"() <{sym_name = "g", type = memref<?xf32>, initial_value, sym_visibility = "private"}> : () -> ()
func.func @main(%x: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %one = arith.constant 1.0 : f32
  %g = memref.get_global @g : memref<?xf32>
  memref.store %one, %g[%c0] : memref<?xf32>
  func.return
}
