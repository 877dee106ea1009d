// RUN: hologram-opt %s
// EXIT: 1
// ERROR: :6:3: error: the shapes \(2, 3\) and \(2, 3\) do not multiply \[atlas-gemm-shape\]

func.func @f(%a: memref<4xf32>, %b: memref<4xf64>, %c: memref<5xf32>, %i: memref<4xi32>, %s: memref<f32>, %d: memref<2x3xf32>) {
  atlas.gemm ins(%d, %d : memref<2x3xf32>, memref<2x3xf32>) outs(%d : memref<2x3xf32>)
  func.return
}
