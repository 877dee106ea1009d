// RUN: hologram-opt %s
// EXIT: 1
// ERROR: at most one result
llvm.func @f() -> (i32, f32)
