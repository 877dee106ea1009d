// RUN: hologram-run %S/source-misisng.mlir
// EXIT: 1
// ERROR: there is no file .*source-misisng.mlir'
// ERROR: did you mean 'source-missing.mlir'
