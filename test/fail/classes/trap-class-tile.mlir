// RUN: hologram-run %s --device interpreter --arg 96
// ERROR: :5:3: error: 'class.tile': class out of the range of 0 to 95; class = 96

func.func @f(%c: i32) {
  %t = class.tile %c : i32 to memref<3072xf32>
  func.return
}
