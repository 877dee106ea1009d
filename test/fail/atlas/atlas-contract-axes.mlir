// RUN: hologram-opt %s
// EXIT: 1
// ERROR: \[2\] are no distinct axes of in 0 of 'atlas\.tensor_contract', which has 2 \[atlas-contract-axes\]

func.func @f(%x: memref<2x4x4xi32>, %q: memref<4x4xi8>, %r: memref<4x4xi32>, %f: memref<4x4xf32>, %g: memref<4xf32>) {
  atlas.tensor_contract ins(%f, %f : memref<4x4xf32>, memref<4x4xf32>) outs(%f : memref<4x4xf32>) {contract_a = [2], contract_b = [0]}
  func.return
}
