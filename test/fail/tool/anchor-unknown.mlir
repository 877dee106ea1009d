// RUN: hologram-opt %s -p 'func.fnc(canonicalize)'
// EXIT: 2
// ERROR: there is no operation 'func\.fnc' to run passes on \[anchor-unknown\]
// ERROR: hint: did you mean 'func\.func'\?

func.func @f(%a: i32) -> i32 {
  func.return %a : i32
}
