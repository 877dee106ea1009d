// RUN: hologram-opt %s
// EXIT: 1
// ERROR: 'atlas\.all_reduce' over 2 devices: a launch runs on one device, so it takes one \[atlas-collective-devices\]

func.func @f(%x: memref<4xf32>, %y: memref<2x4xf32>, %b: memref<4xi1>) {
  atlas.all_reduce ins(%x : memref<4xf32>) outs(%x : memref<4xf32>) {kind = #atlas.kind<add>, type = #atlas.dtype<f32>, devices = [0, 1]}
  func.return
}
