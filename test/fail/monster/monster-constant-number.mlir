// RUN: hologram-opt %s
// ERROR: 'monster.constant degree' needs a number from 0 to 193

func.func @f() {
  %d = monster.constant degree : i32
  func.return
}
