// RUN: hologram-opt %s -p convert-narrow-floats-to-i16
// EXIT: 1
// ERROR: narrow-float-computed.mlir:7:3: error: 'llvm.fadd' computes with 16-bit floats, which can only be moved here
// ERROR: run expand-narrow-floats\{f16=false\} before

llvm.func @f(%a: f16) -> f16 {
  %r = llvm.fadd %a, %a : f16
  llvm.return %r : f16
}
