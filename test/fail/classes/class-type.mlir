// RUN: hologram-opt %s
// ERROR: 'class.mirror' works on integers of 8 to 64 bits, found f32
// ERROR: it takes i8, i16, i32 or i64, and vectors and tensors of them

func.func @f(%c: f32) {
  %0 = class.mirror %c : f32
  func.return
}
