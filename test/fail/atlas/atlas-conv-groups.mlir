// RUN: hologram-opt %s
// EXIT: 1
// ERROR: 3 channels and 2 filters of 3 do not make 2 groups in 'atlas\.conv2d' \[atlas-conv-groups\]

func.func @f(%x: memref<1x3x8x8xf32>, %w: memref<2x3x3x3xf32>, %y: memref<1x2x6x6xf32>, %z: memref<1x2x6x7xf32>, %q: memref<4x4xf32>) {
  atlas.conv2d ins(%x, %w : memref<1x3x8x8xf32>, memref<2x3x3x3xf32>) outs(%y : memref<1x2x6x6xf32>) {groups = 2}
  func.return
}
