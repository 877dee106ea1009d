// RUN: hologram-run %s --arg 'f32[3]=zeros' --output a.npy --output b.npy
// EXIT: 2
// ERROR: --output is given 2 times, and 'main' has fewer results

func.func @main(%x: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %v = arith.constant 1.0 : f32
  memref.store %v, %x[%c0] : memref<?xf32>
  return
}
