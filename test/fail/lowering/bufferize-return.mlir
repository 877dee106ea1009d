// RUN: hologram-opt %s -p bufferize
// EXIT: 1
// ERROR: :5:1: error: function 'f' does not end in func\.return \[bufferize-return\]

func.func @f(%a: tensor<4xf32>) {
  ub.unreachable
}
