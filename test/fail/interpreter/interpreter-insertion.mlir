// RUN: hologram-run %s --device interpreter --arg 'f32[2]=zeros' --arg 'f32[4]=zeros'
// EXIT: 1
// ERROR: :6:3: error: a part of shape \(2,\) at \(3,\) does not fit into shape \(4,\) \[interpreter-insertion\]

func.func @main(%a: tensor<2xf32>, %b: tensor<4xf32>) -> tensor<4xf32> {
  %r = tensor.insert_slice %a into %b[3] [2] [1] : tensor<2xf32> into tensor<4xf32>
  func.return %r : tensor<4xf32>
}
