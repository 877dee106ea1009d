// RUN: hologram-opt %s
// ERROR: 'class.tile' of memref<65xf32> takes 260 bytes, of the 256 that a page has

func.func @f(%c: i32) {
  %t = class.tile %c, %c : i32 to memref<65xf32>
  func.return
}
