// RUN: hologram-opt %s
// EXIT: 1
// ERROR: successor 0 takes f32, but is given i32
llvm.func @f(%x: i32) {
  llvm.br ^next(%x : i32)
^next(%y: f32):
  llvm.return
}
