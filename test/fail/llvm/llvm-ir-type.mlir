// RUN: hologram-opt %s -t llvm-ir
// EXIT: 1
// ERROR: no type tensor<4xf32>
llvm.func @f() {
  %x = llvm.mlir.poison : tensor<4xf32>
  %y = llvm.freeze %x : tensor<4xf32>
  llvm.return
}
