// RUN: hologram-run %S/Inputs/folder.mlir
// EXIT: 1
// ERROR: '/' can't be read|can't be read
