// RUN: hologram-opt %s
// EXIT: 1
// ERROR: pairs axes, found 1 and 0 \[atlas-contract-pairs\]

func.func @f(%x: memref<2x4x4xi32>, %q: memref<4x4xi8>, %r: memref<4x4xi32>, %f: memref<4x4xf32>, %g: memref<4xf32>) {
  atlas.tensor_contract ins(%f, %f : memref<4x4xf32>, memref<4x4xf32>) outs(%f : memref<4x4xf32>) {contract_a = [1], contract_b = []}
  func.return
}
