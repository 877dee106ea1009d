// RUN: hologram-opt %s
// EXIT: 1
// ERROR: 'atlas\.sort' is not defined for f8E5M2 \[atlas-sort-type\]

func.func @f(%x: memref<4x3xf8E5M2>, %y: memref<4x3xf8E5M2>) {
  atlas.sort ins(%x : memref<4x3xf8E5M2>) outs(%y : memref<4x3xf8E5M2>) {axis = 1, type = #atlas.dtype<f8E5M2>}
  func.return
}
