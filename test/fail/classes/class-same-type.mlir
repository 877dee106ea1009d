// RUN: hologram-opt %s
// ERROR: 'class.rotate' of i32 has operands of that type and a result of elements of i32, found i8

func.func @f(%c: i32, %k: i8) {
  %0 = class.rotate %c, %k : (i32, i8) -> i32
  func.return
}
