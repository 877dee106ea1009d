// RUN: hologram-opt %s
// ERROR: 'monster.constant order' takes 180 bits, which i128 has not

func.func @f() {
  %d = monster.constant order : i128
  func.return
}
