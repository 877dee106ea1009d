// RUN: hologram-opt %s
// EXIT: 1
// ERROR: 6 channels do not make 4 equal groups in 'atlas\.group_norm' \[atlas-groups\]

func.func @f(%x: memref<4x6xf32>, %i: memref<4x6xi32>, %w: memref<6xf32>) {
  atlas.group_norm ins(%x, %w, %w : memref<4x6xf32>, memref<6xf32>, memref<6xf32>) outs(%x : memref<4x6xf32>) {groups = 4, eps = 1.0e-5 : f64}
  func.return
}
