// RUN: hologram-opt %s -p 'func.func(builtin.module(canonicalize))'
// EXIT: 2
// ERROR: no 'builtin\.module' stands inside of 'func\.func' \[anchor-order\]
// ERROR: hint: the outer operation comes first

func.func @f(%a: i32) -> i32 {
  func.return %a : i32
}
