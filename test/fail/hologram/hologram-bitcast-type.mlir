// RUN: hologram-opt %s
// EXIT: 1
// ERROR: :6:3: error: 'hologram\.bitcast' keeps the width, and f32 is not as wide as i64 \[hologram-bitcast-type\]

func.func @f(%x: tensor<4xf32>) {
  %r = hologram.bitcast %x : tensor<4xf32> to tensor<4xi64>
  func.return
}
