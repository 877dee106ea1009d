// RUN: hologram-opt %s -p canonicalize,csse
// EXIT: 2
// ERROR: -p:1:14: error: there is no pass or pipeline 'csse'
// ERROR: did you mean 'cse'\?

func.func @f(%a: i32) -> i32 {
  func.return %a : i32
}
