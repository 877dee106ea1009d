// RUN: hologram-opt %s
// EXIT: 1
// ERROR: parse-syntax.mlir:7:18: error: the character ';' means nothing here
// ERROR: \^

func.func @f(%a: i32) -> i32 {
  func.return %a ; i32
}
