// RUN: hologram-opt %s | hologram-opt - | filecheck %s
// RUN: hologram-opt %s -p decompose-atlas | filecheck %s --check-prefix=PARTS

// Convolution and attention become products of parts.

func.func @networks(%x: memref<1x3x8x8xf32>, %w: memref<2x3x3x3xf32>, %y: memref<1x2x6x6xf32>, %q: memref<8x64x16xf32>) {
  atlas.conv2d ins(%x, %w : memref<1x3x8x8xf32>, memref<2x3x3x3xf32>) outs(%y : memref<1x2x6x6xf32>) {stride = [1 : i64, 1 : i64]}
  atlas.attention ins(%q, %q, %q : memref<8x64x16xf32>, memref<8x64x16xf32>, memref<8x64x16xf32>) outs(%q : memref<8x64x16xf32>) {causal = 1 : i64}
  func.return
}

// CHECK:      atlas.conv2d ins(%x, %w : memref<1x3x8x8xf32>, memref<2x3x3x3xf32>) outs(%y : memref<1x2x6x6xf32>) {stride = [1 : i64, 1 : i64]}
// CHECK-NEXT: atlas.attention ins(%q, %q, %q : memref<8x64x16xf32>, memref<8x64x16xf32>, memref<8x64x16xf32>) outs(%q : memref<8x64x16xf32>) {causal = 1 : i64}

// PARTS:      atlas.gemm ins(%{{.*}}, %{{.*}} : memref<2x27xf32, {{.*}}>, memref<27x36xf32>)
// PARTS:      scf.parallel
// PARTS:        atlas.gemm
// PARTS:        atlas.softmax
// PARTS:        atlas.gemm
