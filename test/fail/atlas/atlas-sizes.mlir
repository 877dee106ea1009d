// RUN: hologram-opt %s
// EXIT: 1
// ERROR: axis 1 of in 0 of 'atlas\.scan' has size 3, but axis 1 of out 0 has size 5 \[atlas-sizes\]

func.func @f(%x: memref<4x3xf32>, %y: memref<4x5xf32>, %i: memref<4xi64>, %h: memref<4xi16>, %e: memref<4x0xf32>, %b: memref<4x3xi1>, %v: memref<3xi64>) {
  atlas.scan ins(%x : memref<4x3xf32>) outs(%y : memref<4x5xf32>) {axis = 1, kind = #atlas.kind<add>, type = #atlas.dtype<f32>}
  func.return
}
