// RUN: hologram-opt %s
// EXIT: 1
// ERROR: vectors of 7 are no pairs for 3 angles in 'atlas\.rope' \[atlas-rope-angles\]

func.func @f(%x: memref<1x2x1x7xf32>, %a: memref<2x3xf32>) {
  atlas.rope ins(%x, %a : memref<1x2x1x7xf32>, memref<2x3xf32>) outs(%x : memref<1x2x1x7xf32>)
  func.return
}
