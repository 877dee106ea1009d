// RUN: hologram-opt %s
// EXIT: 1
// ERROR: parse-invalid.mlir:6:3: error: tensor<4xf32> is no memref

func.func @f(%t: tensor<4xf32>, %i: index, %m: vector<4xi1>, %o: vector<4xindex>, %p: vector<4xf32>) {
  %r = vector.load %t[%i] : tensor<4xf32>, vector<4xf32>
  func.return
}
