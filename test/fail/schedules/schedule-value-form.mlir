// RUN: hologram-opt %s -p schedule-atlas
// EXIT: 1
// ERROR: :7:3: error: 'atlas.copy' works on tensors.* \[schedule-value-form\]
// ERROR: hint: run bufferize first

func.func @f(%a: tensor<4xf32>, %b: tensor<4xf32>) -> tensor<4xf32> {
  %r = atlas.copy ins(%a : tensor<4xf32>) outs(%b : tensor<4xf32>)
  func.return %r : tensor<4xf32>
}
