// RUN: hologram-opt %s
// EXIT: 1
// ERROR: :6:3: error: the finish region of 'atlas\.gemm' is one block that takes \(f32\) and yields \(f32\) \[atlas-gemm-finish\]

func.func @f(%a: memref<2x2xf32>, %v: memref<3xf32>, %h: memref<2x2xf16>) {
  atlas.gemm ins(%a, %a : memref<2x2xf32>, memref<2x2xf32>) outs(%a : memref<2x2xf32>) finish {
  ^bb0(%x: f32, %y: f32):
    atlas.yield %x : f32
  }
  func.return
}
