// RUN: hologram-opt %s -p "insert-coherence-checks{split=true}"
// EXIT: 1
// ERROR: coherence-split.mlir:8:3: error: 'atlas.gemm' works on what is no argument of 'main', so that its check can't be a function of its own \[coherence-split\]
// ERROR: hint: leave out the option split

func.func @main(%a: memref<4x4xi32>, %r: memref<4x4xi32>) {
  %t = memref.alloc() : memref<4x4xi32>
  atlas.gemm ins(%a, %a : memref<4x4xi32>, memref<4x4xi32>) outs(%t : memref<4x4xi32>)
  atlas.copy ins(%t : memref<4x4xi32>) outs(%r : memref<4x4xi32>)
  func.return
}
