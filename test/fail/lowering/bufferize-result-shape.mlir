// RUN: hologram-opt %s -p bufferize
// EXIT: 1
// ERROR: :6:3: error: the shape of a dynamic result is not recorded \[bufferize-result-shape\]

func.func @f(%a: tensor<?xf32>) -> tensor<?xf32> {
  func.return %a : tensor<?xf32>
}
