// RUN: hologram-opt %s
// EXIT: 1
// ERROR: 'atlas\.all_reduce' by add is not defined for bool \[atlas-all-reduce-type\]

func.func @f(%x: memref<4xf32>, %y: memref<2x4xf32>, %b: memref<4xi1>) {
  atlas.all_reduce ins(%b : memref<4xi1>) outs(%b : memref<4xi1>) {kind = #atlas.kind<add>, type = #atlas.dtype<bool>}
  func.return
}
