// RUN: hologram-opt %s -p infer-shapes
// EXIT: 1
// ERROR: :8:3: error: the sizes of 'hologram\.transpose' never fit: 5 == 4 does not hold \[shape-mismatch\]

func.func @f(%a: tensor<4xf32>) {
  %c5 = arith.constant 5 : index
  %u = hologram.broadcast %a sizes(%c5) {axes = [0 : i64]} : tensor<4xf32> to tensor<4x?xf32>
  %v = hologram.transpose %u {permutation = [1 : i64, 0 : i64]} : tensor<4x?xf32> to tensor<4x4xf32>
  func.return
}
