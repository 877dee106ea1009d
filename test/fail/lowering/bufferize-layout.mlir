// RUN: hologram-opt %s -p bufferize{layout=stride}
// EXIT: 2
// ERROR: -p:1:11: error: there is no layout 'stride' \[bufferize-layout\]

func.func @f(%a: tensor<4xf32>) {
  func.return
}
