// RUN: hologram-opt %s | hologram-opt - | filecheck %s
// RUN: hologram-opt %s --print-op-generic | hologram-opt - | filecheck %s

// The named array-level instructions.

func.func @moves(%k: f32, %a: memref<4x8xf32>, %b: memref<8x4xf32>, %i: memref<3xi64>, %g: memref<3x8xf32>) {
  atlas.fill ins(%k : f32) outs(%a : memref<4x8xf32>)
  atlas.copy ins(%a : memref<4x8xf32>) outs(%a : memref<4x8xf32>)
  atlas.transpose ins(%a : memref<4x8xf32>) outs(%b : memref<8x4xf32>) {permutation = [1 : i64, 0 : i64]}
  atlas.gather ins(%a, %i : memref<4x8xf32>, memref<3xi64>) outs(%g : memref<3x8xf32>) {axis = 0 : i64}
  func.return
}

// CHECK-LABEL: func.func @moves(%k: f32, %a: memref<4x8xf32>, %b: memref<8x4xf32>, %i: memref<3xi64>, %g: memref<3x8xf32>) {
// CHECK-NEXT:    atlas.fill ins(%k : f32) outs(%a : memref<4x8xf32>)
// CHECK-NEXT:    atlas.copy ins(%a : memref<4x8xf32>) outs(%a : memref<4x8xf32>)
// CHECK-NEXT:    atlas.transpose ins(%a : memref<4x8xf32>) outs(%b : memref<8x4xf32>) {permutation = [1 : i64, 0 : i64]}
// CHECK-NEXT:    atlas.gather ins(%a, %i : memref<4x8xf32>, memref<3xi64>) outs(%g : memref<3x8xf32>) {axis = 0 : i64}
// CHECK-NEXT:    func.return
// CHECK-NEXT:  }

func.func @maps(%a: tensor<?xf32>, %s: tensor<f32>) -> tensor<f32> {
  %e = atlas.parallel_map exp f32 ins(%a : tensor<?xf32>) outs(%a : tensor<?xf32>)
  %m = atlas.parallel_map_binary min.nan f32 ins(%e, %a : tensor<?xf32>, tensor<?xf32>) outs(%a : tensor<?xf32>)
  %r = atlas.parallel_reduce ins(%m : tensor<?xf32>) outs(%s : tensor<f32>) {kind = #atlas.kind<add>, type = #atlas.dtype<f32>}
  func.return %r : tensor<f32>
}

// CHECK-LABEL: func.func @maps(%a: tensor<?xf32>, %s: tensor<f32>) -> tensor<f32> {
// CHECK-NEXT:    %e = atlas.parallel_map exp f32 ins(%a : tensor<?xf32>) outs(%a : tensor<?xf32>)
// CHECK-NEXT:    %m = atlas.parallel_map_binary min.nan f32 ins(%e, %a : tensor<?xf32>, tensor<?xf32>) outs(%a : tensor<?xf32>)
// CHECK-NEXT:    %r = atlas.parallel_reduce ins(%m : tensor<?xf32>) outs(%s : tensor<f32>) {kind = #atlas.kind<add>, type = #atlas.dtype<f32>}
// CHECK-NEXT:    func.return %r : tensor<f32>
// CHECK-NEXT:  }

func.func @products(%a: memref<?x?xf32>, %c: memref<?x?xf32>) {
  atlas.softmax ins(%a : memref<?x?xf32>) outs(%c : memref<?x?xf32>) {axis = 1 : i64}
  atlas.gemm ins(%a, %a, %c : memref<?x?xf32>, memref<?x?xf32>, memref<?x?xf32>) outs(%c : memref<?x?xf32>) {alpha = 2.000000e+00 : f64, trans_b = true}
  func.return
}

// CHECK-LABEL: func.func @products(%a: memref<?x?xf32>, %c: memref<?x?xf32>) {
// CHECK-NEXT:    atlas.softmax ins(%a : memref<?x?xf32>) outs(%c : memref<?x?xf32>) {axis = 1 : i64}
// CHECK-NEXT:    atlas.gemm ins(%a, %a, %c : memref<?x?xf32>, memref<?x?xf32>, memref<?x?xf32>) outs(%c : memref<?x?xf32>) {alpha = 2.000000e+00 : f64, trans_b = true}
// CHECK-NEXT:    func.return
// CHECK-NEXT:  }
