// RUN: hologram-opt %s -p assign-registers
// EXIT: 1
// ERROR: :5:1: error: @p has more scalars and constants than registers \[assign-arrays-registers\]

func.func @p(%x: memref<4xf32>, %w0: i4096, %w1: i4096, %w2: i4096, %w3: i4096, %w4: i4096) {
  atlas.copy ins(%x : memref<4xf32>) outs(%x : memref<4xf32>)
  func.return
}
