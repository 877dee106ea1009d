// RUN: hologram-opt %s -p decompose-atlas
// EXIT: 1
// ERROR: :5:3: error: 'atlas\.attention' works on tensors.* \[decompose-value-form\]
func.func @f(%q: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %r = atlas.attention ins(%q, %q, %q : tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>) outs(%q : tensor<4x4xf32>)
  func.return %r : tensor<4x4xf32>
}
