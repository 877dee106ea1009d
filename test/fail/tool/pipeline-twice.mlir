// RUN: hologram-opt %s -p cse --pass-pipeline=cse
// EXIT: 2
// ERROR: passes are given both by -p and by --pass-pipeline

func.func @f(%a: i32) -> i32 {
  func.return %a : i32
}
