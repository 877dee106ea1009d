// RUN: hologram-opt %s
// EXIT: 1
// ERROR: stride of 'atlas\.conv2d' is two numbers of at least 1, found \[0, 1\] \[atlas-conv-numbers\]

func.func @f(%x: memref<1x3x8x8xf32>, %w: memref<2x3x3x3xf32>, %y: memref<1x2x6x6xf32>, %z: memref<1x2x6x7xf32>, %q: memref<4x4xf32>) {
  atlas.conv2d ins(%x, %w : memref<1x3x8x8xf32>, memref<2x3x3x3xf32>) outs(%y : memref<1x2x6x6xf32>) {stride = [0, 1]}
  func.return
}
