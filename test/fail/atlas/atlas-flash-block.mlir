// RUN: hologram-opt %s
// EXIT: 1
// ERROR: takes blocks of one key at least, found 0 \[atlas-flash-block\]

func.func @f(%x: memref<1x3x8x8xf32>, %w: memref<2x3x3x3xf32>, %y: memref<1x2x6x6xf32>, %z: memref<1x2x6x7xf32>, %q: memref<4x4xf32>) {
  atlas.flash_attention ins(%q, %q, %q : memref<4x4xf32>, memref<4x4xf32>, memref<4x4xf32>) outs(%q : memref<4x4xf32>) {block_size = 0}
  func.return
}
