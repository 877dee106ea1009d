// RUN: hologram-opt %s
// EXIT: 1
// ERROR: arith.extui needs a result wider than its operand i32 \[arith-cast-width\]

func.func @f(%v: i32) {
  %r = arith.extui %v : i32 to i16
  func.return
}
