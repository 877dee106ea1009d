// RUN: hologram-opt %s | hologram-opt - | filecheck %s
// RUN: hologram-opt %s --print-op-generic | hologram-opt - | filecheck %s

// Instructions that walk along an axis, and scatter, on memrefs and tensors.

func.func @searches(%x: memref<8x?xf32>, %i: memref<8xi64>, %k: memref<?xi32>, %u: memref<?x?xf32>) {
  atlas.argmin ins(%x : memref<8x?xf32>) outs(%i : memref<8xi64>) {axis = 1 : i64, type = #atlas.dtype<f32>}
  atlas.scan ins(%x : memref<8x?xf32>) outs(%x : memref<8x?xf32>) {axis = 0 : i64, kind = #atlas.kind<max.nan>, type = #atlas.dtype<f32>, exclusive = 1 : i64}
  atlas.scatter ins(%x, %k, %u : memref<8x?xf32>, memref<?xi32>, memref<?x?xf32>) outs(%x : memref<8x?xf32>) {axis = 0 : i64}
  func.return
}

// CHECK-LABEL: func.func @searches(
// CHECK-NEXT:    atlas.argmin ins(%x : memref<8x?xf32>) outs(%i : memref<8xi64>) {axis = 1 : i64, type = #atlas.dtype<f32>}
// CHECK-NEXT:    atlas.scan ins(%x : memref<8x?xf32>) outs(%x : memref<8x?xf32>) {axis = 0 : i64, kind = #atlas.kind<max.nan>, type = #atlas.dtype<f32>, exclusive = 1 : i64}
// CHECK-NEXT:    atlas.scatter ins(%x, %k, %u : memref<8x?xf32>, memref<?xi32>, memref<?x?xf32>) outs(%x : memref<8x?xf32>) {axis = 0 : i64}

func.func @values(%x: tensor<8x4xi8>, %e: tensor<4xi32>) -> tensor<4xi32> {
  %i = atlas.argmax ins(%x : tensor<8x4xi8>) outs(%e : tensor<4xi32>) {axis = 0 : i64, type = #atlas.dtype<u8>}
  func.return %i : tensor<4xi32>
}

// CHECK-LABEL: func.func @values(
// CHECK-NEXT:    %i = atlas.argmax ins(%x : tensor<8x4xi8>) outs(%e : tensor<4xi32>) {axis = 0 : i64, type = #atlas.dtype<u8>}
