// RUN: hologram-opt %s
// ERROR: the Monster has no number 'rank' here

func.func @f() {
  %d = "monster.constant"() <{what = "rank"}> : () -> i32
  func.return
}
