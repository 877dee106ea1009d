// RUN: hologram-opt %s | hologram-opt - | filecheck %s
// RUN: hologram-opt %s --print-op-generic | hologram-opt - | filecheck %s
// RUN: hologram-opt %s -p 'bufferize,schedule-atlas{target=gpu}' | filecheck %s --check-prefix LAUNCHES

// Elements put in order along an axis; on devices each pass of the merge sort is a launch. Scatters that reduce sort too.

func.func @sorted(%x: memref<8x?xf32>, %i: memref<8x?xi32>, %s: memref<9xf32>, %k: memref<?xi64>, %u: memref<?x?xf32>) {
  atlas.sort ins(%x : memref<8x?xf32>) outs(%x : memref<8x?xf32>) {axis = 1 : i64, type = #atlas.dtype<f32>}
  atlas.argsort ins(%x : memref<8x?xf32>) outs(%i : memref<8x?xi32>) {axis = 0 : i64, type = #atlas.dtype<f32>, descending = 1 : i64}
  atlas.searchsorted ins(%s, %x : memref<9xf32>, memref<8x?xf32>) outs(%i : memref<8x?xi32>) {type = #atlas.dtype<f32>, right = 1 : i64}
  atlas.scatter_reduce ins(%x, %k, %u : memref<8x?xf32>, memref<?xi64>, memref<?x?xf32>) outs(%x : memref<8x?xf32>) {axis = 0 : i64, kind = #atlas.kind<add>, type = #atlas.dtype<f32>}
  func.return
}

// CHECK-LABEL: func.func @sorted(
// CHECK-NEXT:    atlas.sort ins(%x : memref<8x?xf32>) outs(%x : memref<8x?xf32>) {axis = 1 : i64, type = #atlas.dtype<f32>}
// CHECK-NEXT:    atlas.argsort ins(%x : memref<8x?xf32>) outs(%i : memref<8x?xi32>) {axis = 0 : i64, type = #atlas.dtype<f32>, descending = 1 : i64}
// CHECK-NEXT:    atlas.searchsorted ins(%s, %x : memref<9xf32>, memref<8x?xf32>) outs(%i : memref<8x?xi32>) {type = #atlas.dtype<f32>, right = 1 : i64}
// CHECK-NEXT:    atlas.scatter_reduce ins(%x, %k, %u : memref<8x?xf32>, memref<?xi64>, memref<?x?xf32>) outs(%x : memref<8x?xf32>) {axis = 0 : i64, kind = #atlas.kind<add>, type = #atlas.dtype<f32>}

// LAUNCHES-LABEL: func.func @sorted(
// LAUNCHES:         gpu.launch
// LAUNCHES:         scf.while
// LAUNCHES:           gpu.launch
// LAUNCHES:         gpu.launch
// LAUNCHES-NOT:     atlas.{{.*}} ins

func.func @values(%x: tensor<8x4xi8>, %e: tensor<8x4xi64>) -> tensor<8x4xi64> {
  %i = atlas.argsort ins(%x : tensor<8x4xi8>) outs(%e : tensor<8x4xi64>) {axis = 0 : i64, type = #atlas.dtype<u8>}
  func.return %i : tensor<8x4xi64>
}

// CHECK-LABEL: func.func @values(
// CHECK-NEXT:    %i = atlas.argsort ins(%x : tensor<8x4xi8>) outs(%e : tensor<8x4xi64>) {axis = 0 : i64, type = #atlas.dtype<u8>}
