// RUN: hologram-opt %s
// EXIT: 1
// ERROR: has no field 'unrol'
llvm.func @f() {
  llvm.br ^a {loop_annotation = #llvm.loop_annotation<unrol = <count = 4 : i32>>}
^a:
  llvm.return
}
