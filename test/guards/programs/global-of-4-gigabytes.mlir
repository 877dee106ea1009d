// ARGS: [1,2,3]:f32
// WANT: refused limit-constant

"memref.global"() <{sym_name = "g", type = memref<1000000000xf32>, initial_value, sym_visibility = "private"}> : () -> ()
func.func @main(%x: memref<?xf32>) {
  %c1 = arith.constant 1 : index
  %one = arith.constant 1.0 : f32
  %y = memref.get_global @g : memref<1000000000xf32>
  memref.store %one, %y[%c1] : memref<1000000000xf32>
  func.return
}
