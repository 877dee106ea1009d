// RUN: hologram-opt %s -p 'func.func(scf.for(canonicalize))'
// EXIT: 2
// ERROR: passes can't run on 'scf\.for' alone: it holds no operations, .* \[anchor-open\]
// ERROR: hint: run them on the function

func.func @f(%a: i32) -> i32 {
  func.return %a : i32
}
