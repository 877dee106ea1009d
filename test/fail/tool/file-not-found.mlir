// RUN: hologram-opt %S/file-not-foun.mlir
// EXIT: 1
// ERROR: there is no file '.*file-not-foun.mlir'
// ERROR: did you mean '.*/file-not-found.mlir'

func.func @f(%a: i32) -> i32 {
  func.return %a : i32
}
