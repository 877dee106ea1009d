// RUN: hologram-opt %s | hologram-opt - | FileCheck %s
// Parallel loops, vectors and hints of affine, and operations of linalg that are no loops over elements.

func.func @f(%m: memref<100xf32>, %n: index, %x: tensor<2x3x3x5xf32>, %y: tensor<6x6x5x2xf32>) -> f32 {
  affine.parallel (%i, %j) = (0, max(%n, 4)) to (10, min(%n + 5, 20)) step (2, 1) {
    affine.prefetch %m[%i], read, locality<3>, data : memref<100xf32>
    %v = affine.vector_load %m[%i + 1] : memref<100xf32>, vector<4xf32>
    affine.vector_store %v, %m[%i * 2] : memref<100xf32>, vector<4xf32>
  }
  %r = affine.parallel (%i) = (0) to (symbol(%n)) reduce ("addf") -> f32 {
    %e = affine.load %m[%i] : memref<100xf32>
    affine.yield %e : f32
  }
  %s = linalg.softmax dimension(1) ins(%x : tensor<2x3x3x5xf32>) outs(%x : tensor<2x3x3x5xf32>) -> tensor<2x3x3x5xf32>
  %w = linalg.winograd_filter_transform fmr(F_4_3) ins(%x : tensor<2x3x3x5xf32>) outs(%y : tensor<6x6x5x2xf32>) -> tensor<6x6x5x2xf32>
  func.return %r : f32
}

// CHECK:      affine.parallel (%i, %j) = (0, max(%n, 4)) to (10, min(%n + 5, 20)) step (2, 1) {
// CHECK-NEXT:   affine.prefetch %m[%i], read, locality<3>, data : memref<100xf32>
// CHECK-NEXT:   %v = affine.vector_load %m[%i + 1] : memref<100xf32>, vector<4xf32>
// CHECK-NEXT:   affine.vector_store %v, %m[%i * 2] : memref<100xf32>, vector<4xf32>
// CHECK-NEXT: }
// CHECK-NEXT: %r = affine.parallel (%i_1) = (0) to (symbol(%n)) reduce ("addf") -> (f32) {
// CHECK:      %s = linalg.softmax dimension(1) ins(%x : tensor<2x3x3x5xf32>) outs(%x : tensor<2x3x3x5xf32>) -> tensor<2x3x3x5xf32>
// CHECK-NEXT: %w = linalg.winograd_filter_transform fmr(F_4_3) ins(%x : tensor<2x3x3x5xf32>) outs(%y : tensor<6x6x5x2xf32>) -> tensor<6x6x5x2xf32>
