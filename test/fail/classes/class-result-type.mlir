// RUN: hologram-opt %s
// ERROR: 'class.label' of tensor<4xi32> gives tensor<4x20xi8>, found tensor<4x19xi8>

func.func @f(%c: tensor<4xi32>) {
  %0 = class.label %c : tensor<4xi32> to tensor<4x19xi8>
  func.return
}
