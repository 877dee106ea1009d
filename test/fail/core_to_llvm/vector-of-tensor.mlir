// RUN: hologram-opt %s -p convert-vector-to-llvm
// EXIT: 1
// ERROR: vector.transfer_read on a tensor has no lowering to llvm \[vector-of-tensor\]

func.func private @f(%t: tensor<8xf32>, %i: index, %x: f32) {
  %v = "vector.transfer_read"(%t, %i, %x) <{in_bounds = [true], operandSegmentSizes = array<i32: 1, 1, 1, 0>,
      permutation_map = affine_map<(i) -> (i)>}> : (tensor<8xf32>, index, f32) -> vector<4xf32>
  func.return
}
