// RUN: hologram-opt %s --disable-verify -p guard-memory
// EXIT: 1
// ERROR: 'vector.load' can't be guarded: it accesses 4 elements of a memref that has one
// ERROR: hint: .*--unsafe-memory

func.func @main(%x: memref<f32>, %y: memref<4xf32>) {
  %c0 = arith.constant 0 : index
  %v = vector.load %x[] : memref<f32>, vector<4xf32>
  vector.store %v, %y[%c0] : memref<4xf32>, vector<4xf32>
  func.return
}
