// RUN: hologram-opt %s
// EXIT: 1
// ERROR: :6:3: error: 'atlas\.copy' gives one result of each tensor's type in outs \[atlas-array-results\]

func.func @f(%t: tensor<4xf32>) {
  "atlas.copy"(%t, %t) <{operandSegmentSizes = array<i32: 1, 1>}> : (tensor<4xf32>, tensor<4xf32>) -> ()
  func.return
}
