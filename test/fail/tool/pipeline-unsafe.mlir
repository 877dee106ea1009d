// RUN: hologram-opt %s -p "hologram-to-cpu{unsafe-memory=maybe}"
// EXIT: 2
// ERROR: option 'unsafe-memory' of 'hologram-to-cpu' is true or false, not 'maybe'

func.func @f(%a: i32) -> i32 {
  func.return %a : i32
}
