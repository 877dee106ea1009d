// RUN: hologram-opt %s -p assign-registers
// EXIT: 1
// ERROR: :5:1: error: there is no index in an array-level program \[assign-arrays-type\]

func.func @p(%x: memref<4xf32>, %n: index) {
  atlas.copy ins(%x : memref<4xf32>) outs(%x : memref<4xf32>)
  func.return
}
