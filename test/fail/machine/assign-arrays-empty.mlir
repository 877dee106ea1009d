// RUN: hologram-opt %s -p assign-registers
// EXIT: 1
// ERROR: :6:3: error: a temporary array of an array-level program has elements \[assign-arrays-empty\]

func.func @p(%x: memref<4xf32>) {
  %t = memref.alloc() : memref<0xf32>
  atlas.copy ins(%x : memref<4xf32>) outs(%x : memref<4xf32>)
  func.return
}
