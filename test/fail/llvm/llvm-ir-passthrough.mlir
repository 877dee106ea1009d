// RUN: hologram-opt %s -t llvm-ir
// EXIT: 1
// ERROR: neither a string nor a pair
llvm.func @f() attributes {passthrough = [4 : i32]}
