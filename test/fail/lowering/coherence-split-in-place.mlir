// RUN: hologram-opt %s -p "insert-coherence-checks{split=true}"
// EXIT: 1
// ERROR: coherence-split-in-place.mlir:7:3: error: 'atlas.parallel_map_binary' overwrites what it reads, so nothing is left to check it by afterwards \[coherence-split-in-place\]
// ERROR: hint: leave out the option split

func.func @main(%a: memref<4xi32>, %b: memref<4xi32>) {
  atlas.parallel_map_binary add i32 ins(%a, %b : memref<4xi32>, memref<4xi32>) outs(%a : memref<4xi32>)
  func.return
}
