// RUN: hologram-opt %s
// EXIT: 1
// ERROR: :6:3: error: 'torus\.phi_decode' gives what it takes, tensor<4xi32>, twice \[torus-decode-types\]

func.func @f(%a: tensor<4xi32>) {
  %p, %b = "torus.phi_decode"(%a) : (tensor<4xi32>) -> (tensor<?xi32>, tensor<4xi32>)
  func.return
}
