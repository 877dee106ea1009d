// RUN: hologram-run %s --device interpreter --arg 'f32[4]=zeros'
// EXIT: 1
// ERROR: :7:3: error: 'table' is no global with an initial value \[interpreter-global\]

"memref.global"() <{sym_name = "table", sym_visibility = "private", type = memref<4xf32>, initial_value}> : () -> ()
func.func @main(%o: memref<4xf32>) {
  %t = memref.get_global @table : memref<4xf32>
  func.return
}
