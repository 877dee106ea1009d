// RUN: hologram-opt %s | hologram-opt - | filecheck %s
// RUN: hologram-opt %s -p generalize-atlas | filecheck %s --check-prefix=GENERAL

// Products become gemms: of widened operands, or of matrices that hold the free and the contracted axes.

func.func @products(%a: memref<4x8xbf16>, %b: memref<8x4xf16>, %c: memref<4x4xbf16>, %x: memref<2x3x5xf32>, %y: memref<3x7xf32>, %z: memref<2x5x7xf32>) {
  atlas.mixed_precision_gemm ins(%a, %b : memref<4x8xbf16>, memref<8x4xf16>) outs(%c : memref<4x4xbf16>)
  atlas.tensor_contract ins(%x, %y : memref<2x3x5xf32>, memref<3x7xf32>) outs(%z : memref<2x5x7xf32>) {contract_a = [1], contract_b = [0]}
  func.return
}

// CHECK:      atlas.mixed_precision_gemm ins(%a, %b : memref<4x8xbf16>, memref<8x4xf16>) outs(%c : memref<4x4xbf16>)
// CHECK-NEXT: atlas.tensor_contract ins(%x, %y : memref<2x3x5xf32>, memref<3x7xf32>) outs(%z : memref<2x5x7xf32>) {contract_a = [1 : i64], contract_b = [0 : i64]}

// GENERAL:      atlas.cvt bf16 to f32
// GENERAL:      atlas.cvt f16 to f32
// GENERAL:      atlas.gemm ins(%{{.*}}, %{{.*}} : memref<4x8xf32>, memref<8x4xf32>) outs(%c : memref<4x4xbf16>) finish {
// GENERAL:        atlas.cvt f32 to bf16
// GENERAL:      atlas.map ins(%x : memref<2x3x5xf32>) outs(%[[T:.*]] : memref<2x5x3xf32>)
// GENERAL:      %[[M:.*]] = memref.reinterpret_cast %[[T]] to offset: [0], sizes: [10, 3], strides: [3, 1]
// GENERAL:      atlas.gemm ins(%[[M]], %{{.*}} : memref<10x3xf32>, memref<3x7xf32>) outs(%{{.*}} : memref<10x7xf32>)
