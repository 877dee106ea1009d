// RUN: hologram-opt %s
// ERROR: class 95 is out of the range of 0 to 94 of 'class.tile' of memref<6144xf32>

func.func @f() {
  %c = arith.constant 95 : i32
  %t = class.tile %c : i32 to memref<6144xf32>
  func.return
}
