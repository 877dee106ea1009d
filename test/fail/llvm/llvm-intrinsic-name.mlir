// RUN: hologram-opt %s
// EXIT: 1
// ERROR: 'sqrt' does not
llvm.func @f(%x: f32) {
  %y = llvm.call_intrinsic "sqrt"(%x) : (f32) -> f32
  llvm.return
}
