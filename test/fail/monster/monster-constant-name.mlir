// RUN: hologram-opt %s
// ERROR: expected a number of the Monster, found 'degrees'
// ERROR: did you mean 'degree'

func.func @f() {
  %d = monster.constant degrees 1 : i32
  func.return
}
