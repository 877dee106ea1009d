// RUN: hologram-opt %s -p convert-vector-to-llvm
// EXIT: 1
// ERROR: vector.transfer_read has a lowering to llvm only along the last dimension \[vector-transfer-map\]

func.func private @f(%m: memref<8x8xf32>, %i: index, %x: f32) {
  %v = "vector.transfer_read"(%m, %i, %i, %x) <{in_bounds = [true], operandSegmentSizes = array<i32: 1, 2, 1, 0>,
      permutation_map = affine_map<(i, j) -> (i)>}> : (memref<8x8xf32>, index, index, f32) -> vector<4xf32>
  func.return
}
