// RUN: hologram-opt %s -p cse;canonicalize
// EXIT: 2
// ERROR: -p:1:4: error: a comma or the end was expected here
// ERROR:   cse;canonicalize\n     \^

func.func @f(%a: i32) -> i32 {
  func.return %a : i32
}
