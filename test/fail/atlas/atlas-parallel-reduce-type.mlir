// RUN: hologram-opt %s
// EXIT: 1
// ERROR: :6:3: error: a reduction by add is not defined for bool \[atlas-parallel-reduce-type\]

func.func @f(%a: memref<4xi1>, %s: memref<i1>) {
  atlas.parallel_reduce ins(%a : memref<4xi1>) outs(%s : memref<i1>) {kind = #atlas.kind<add>, type = #atlas.dtype<bool>}
  func.return
}
