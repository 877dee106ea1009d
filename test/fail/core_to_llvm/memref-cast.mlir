// RUN: hologram-opt %s
// EXIT: 1
// ERROR: memref<4xf32> can\'t be cast to memref<5xf32>: .* \[memref-cast\]

func.func @f(%m: memref<4xf32>) {
  %r = memref.cast %m : memref<4xf32> to memref<5xf32>
  func.return
}
