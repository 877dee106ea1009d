// RUN: hologram-opt %s
// EXIT: 1
// ERROR: :6:22: error: expected an instruction of 1 operand\(s\), found 'expo' \[atlas-parallel-operation\]

func.func @f(%a: memref<4xf32>, %b: memref<4xf64>, %c: memref<5xf32>, %i: memref<4xi32>, %s: memref<f32>, %d: memref<2x3xf32>) {
  atlas.parallel_map expo f32 ins(%a : memref<4xf32>) outs(%a : memref<4xf32>)
  func.return
}
