// RUN: hologram-opt %s -t llvm-ir
// EXIT: 1
// ERROR: no parameter attribute 'llvm.no_alias'
llvm.func @f(!llvm.ptr {llvm.no_alias})
