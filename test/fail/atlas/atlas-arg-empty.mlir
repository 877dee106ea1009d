// RUN: hologram-opt %s
// EXIT: 1
// ERROR: 'atlas\.argmax' of no elements: axis 1 has size 0 \[atlas-arg-empty\]

func.func @f(%x: memref<4x3xf32>, %y: memref<4x5xf32>, %i: memref<4xi64>, %h: memref<4xi16>, %e: memref<4x0xf32>, %b: memref<4x3xi1>, %v: memref<3xi64>) {
  atlas.argmax ins(%e : memref<4x0xf32>) outs(%i : memref<4xi64>) {axis = 1, type = #atlas.dtype<f32>}
  func.return
}
