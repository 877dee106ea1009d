// RUN: hologram-opt %s
// EXIT: 1
// ERROR: 'linalg.conv_1d_nwc_wcf' has as many strides as windows: 1 \[linalg-windows\]

func.func @f(%x: memref<1x9x2xf32>, %k: memref<3x2x4xf32>, %o: memref<1x4x4xf32>) {
  linalg.conv_1d_nwc_wcf {strides = dense<2> : tensor<2xi64>}
    ins(%x, %k : memref<1x9x2xf32>, memref<3x2x4xf32>) outs(%o : memref<1x4x4xf32>)
  func.return
}
