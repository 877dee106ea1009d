// RUN: hologram-run %s --device interpreter --arg 'f32[4]=zeros'
// EXIT: 1
// ERROR: :6:3: error: the view reaches from element 0 to 4 of memory with 4 elements in a.* \[interpreter-view\]

func.func @main(%m: memref<4xf32>) {
  %v = memref.reinterpret_cast %m to offset: [0], sizes: [5], strides: [1] : memref<4xf32> to memref<5xf32>
  func.return
}
