// RUN: hologram-opt %s -t llvm-ir
// EXIT: 1
// ERROR: 'followupAll' of a loop's 'unroll'
llvm.func @f() {
  llvm.br ^a {loop_annotation = #llvm.loop_annotation<unroll = <followupAll = #llvm.loop_annotation<mustProgress = true>>>}
^a:
  llvm.return
}
