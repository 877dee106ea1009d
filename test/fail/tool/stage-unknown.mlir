// RUN: hologram-opt %s -p hologram-to-cpu{to=mathe}
// EXIT: 2
// ERROR: 'hologram-to-cpu' has no stage 'mathe'
// ERROR: did you mean 'math'

func.func @f(%a: i32) -> i32 {
  func.return %a : i32
}
