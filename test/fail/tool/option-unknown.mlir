// RUN: hologram-opt %s -p canonicalize{max=1}
// EXIT: 2
// ERROR: -p:1:14: error: pass 'canonicalize' has no option 'max'
// ERROR: hint: it has no options

func.func @f(%a: i32) -> i32 {
  func.return %a : i32
}
