// RUN: hologram-opt %s
// ERROR: expected a part of a transform, found 'mirrored'
// ERROR: did you mean 'mirror'

func.func @f(%c: i32) {
  %0 = class.transform [r = 1, mirrored] %c : i32
  func.return
}
