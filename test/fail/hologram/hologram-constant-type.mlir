// RUN: hologram-opt %s
// EXIT: 1
// ERROR: :6:3: error: the value has type tensor<4xf32>, the result tensor<5xf32> \[hologram-constant-type\]

func.func @f(%a: tensor<4xf32>, %b: tensor<4xf64>, %c: tensor<5xf32>, %i: tensor<4xi32>, %p: tensor<4xi1>, %d: tensor<2x3xf32>, %n: index) {
  %r = "hologram.constant"() <{value = dense<1.0> : tensor<4xf32>}> : () -> tensor<5xf32>
  func.return
}
