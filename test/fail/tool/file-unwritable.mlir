// RUN: hologram-opt %s -o %s/out.mlir
// EXIT: 2
// ERROR: '.*out.mlir' can't be written: '.*' is a file, not a folder

func.func @f(%a: i32) -> i32 {
  func.return %a : i32
}
