// RUN: hologram-opt %s
// EXIT: 1
// ERROR: :6:3: error: 'torus\.lift' gives the type of its hint, i64, not i32 \[torus-lift-type\]

func.func @f(%a: !torus.coord, %n: i64) {
  %c = torus.lift %a, %n : (!torus.coord, i64) -> i32
  func.return
}
