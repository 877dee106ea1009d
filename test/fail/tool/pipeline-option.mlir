// RUN: hologram-opt %s -p hologram-to-cpu{until=math}
// EXIT: 2
// ERROR: from=STAGE and to=STAGE, unsafe-memory=false, not 'until'

func.func @f(%a: i32) -> i32 {
  func.return %a : i32
}
