// RUN: hologram-opt %s -p assign-registers
// EXIT: 1
// ERROR: :10:3: error: a size of a temporary array is neither a number nor that of an axis \[assign-arrays-size\]

func.func @p(%x: memref<4xf32>, %i: memref<i64>) {
  %c = arith.constant 0 : index
  %n = memref.dim %x, %c : memref<4xf32>
  %t = memref.alloc(%n) : memref<?xf32>
  %m = memref.dim %t, %n : memref<?xf32>
  %u = memref.alloc(%m) : memref<?xf32>
  atlas.copy ins(%x : memref<4xf32>) outs(%x : memref<4xf32>)
  func.return
}
