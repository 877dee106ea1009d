// RUN: hologram-opt %s -p convert-vector-to-llvm
// EXIT: 1
// ERROR: vector.load needs elements side by side, but the last stride of .* is not known to be 1 \[vector-stride\]

func.func private @f(%m: memref<8xf32, strided<[2]>>, %i: index) {
  %v = vector.load %m[%i] : memref<8xf32, strided<[2]>>, vector<4xf32>
  func.return
}
