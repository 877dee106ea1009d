// RUN: hologram-opt %s
// ERROR: 'class.tile' gives a memref of static shape, without layout or memory space, of elements of 8 to 64 bits

func.func @f(%c: i32) {
  %t = class.tile %c : i32 to memref<?xf32>
  func.return
}
