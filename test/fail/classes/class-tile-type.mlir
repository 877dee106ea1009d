// RUN: hologram-opt %s
// ERROR: 'class.tile' takes static shapes, without layout or memory space, of elements of 8 to 64 bits, found memref<\?xf32>

func.func @f(%c: i32) {
  %t = class.tile %c : i32 to memref<?xf32>
  func.return
}
