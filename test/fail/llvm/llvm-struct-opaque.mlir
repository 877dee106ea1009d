// RUN: hologram-opt %s
// EXIT: 1
// ERROR: an opaque struct has a name
llvm.mlir.global @g() : !llvm.struct<"", opaque>
