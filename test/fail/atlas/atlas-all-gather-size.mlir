// RUN: hologram-opt %s
// EXIT: 1
// ERROR: the first axis of the out of 'atlas\.all_gather' has size 1, that of one device, found 2 \[atlas-all-gather-size\]

func.func @f(%x: memref<4xf32>, %y: memref<2x4xf32>, %b: memref<4xi1>) {
  atlas.all_gather ins(%x : memref<4xf32>) outs(%y : memref<2x4xf32>)
  func.return
}
