// RUN: hologram-run %S/Inputs/latin1.mlir
// EXIT: 1
// ERROR: is not UTF-8 text: byte 0
