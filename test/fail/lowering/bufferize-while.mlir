// RUN: hologram-opt %s -p bufferize
// EXIT: 1
// ERROR: :6:3: error: a loop over tensors must give values of the types that it starts with \[bufferize-while\]

func.func @f(%x: tensor<4xf32>, %c: i1) -> tensor<4xf32> {
  %r, %q = scf.while (%a = %x) : (tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
    scf.condition(%c) %a, %a : tensor<4xf32>, tensor<4xf32>
  } do {
  ^bb0(%a: tensor<4xf32>, %b: tensor<4xf32>):
    scf.yield %a : tensor<4xf32>
  }
  func.return %r : tensor<4xf32>
}
