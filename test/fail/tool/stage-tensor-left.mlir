// RUN: hologram-opt %s -p 'hologram-to-cpu{from=clean to=clean}'
// EXIT: 1
// ERROR: stage-tensor-left.mlir:5:1: error: a value of type tensor<4xf32> is left after stage 'clean'

func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
  func.return %x : tensor<4xf32>
}
