// RUN: hologram-opt %s
// ERROR: 'class.classify_data' reads bytes, a tensor of i8, found tensor<\?xi32>

func.func @f(%x: tensor<?xi32>) {
  %0 = class.classify_data %x : tensor<?xi32> to tensor<i8>
  func.return
}
