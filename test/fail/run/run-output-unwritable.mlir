// RUN: hologram-run %s --arg 'f32[3]=zeros' --output nowhere/a.npy
// EXIT: 2
// ERROR: nowhere/a.npy' can't be written

func.func @main(%x: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %v = arith.constant 1.0 : f32
  memref.store %v, %x[%c0] : memref<?xf32>
  return
}
