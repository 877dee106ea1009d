// RUN: hologram-opt %s | hologram-opt - | filecheck %s
// RUN: hologram-opt %s --print-op-generic | hologram-opt - | filecheck %s
// RUN: hologram-opt %s -p schedule-atlas | filecheck %s --check-prefix LOOPS

// Rotary positions, the cache of keys and values, and the product of a compressed matrix: on memrefs, and as loops.

func.func @rope(%x: memref<?x?x8x64xf32>, %f: memref<?x32xf32>, %y: memref<?x?x8x64xf32>) {
  atlas.rope ins(%x, %f : memref<?x?x8x64xf32>, memref<?x32xf32>) outs(%y : memref<?x?x8x64xf32>)
  func.return
}

func.func @cache(%c: memref<8x1024x64xf32>, %n: memref<8x?x64xf32>, %p: memref<i64>) {
  atlas.kv_cache_update ins(%c, %n, %p : memref<8x1024x64xf32>, memref<8x?x64xf32>, memref<i64>)
    outs(%c : memref<8x1024x64xf32>)
  func.return
}

func.func @sparse(%v: memref<?xf32>, %i: memref<?xi32>, %s: memref<?xi32>, %b: memref<?x?xf32>, %c: memref<?x?xf32>) {
  atlas.sparse_gemm ins(%v, %i, %s, %b : memref<?xf32>, memref<?xi32>, memref<?xi32>, memref<?x?xf32>)
    outs(%c : memref<?x?xf32>)
  func.return
}

// CHECK-LABEL: func.func @rope
// CHECK-NEXT:    atlas.rope ins(%x, %f : memref<?x?x8x64xf32>, memref<?x32xf32>) outs(%y : memref<?x?x8x64xf32>)
// CHECK-LABEL: func.func @cache
// CHECK-NEXT:    atlas.kv_cache_update ins(%c, %n, %p : {{.*}}, memref<i64>) outs(%c : memref<8x1024x64xf32>)
// CHECK-LABEL: func.func @sparse
// CHECK-NEXT:    atlas.sparse_gemm ins(%v, %i, %s, %b : {{.*}}) outs(%c : memref<?x?xf32>)

// LOOPS-LABEL: func.func @rope
// LOOPS-NOT:     atlas.rope ins
// LOOPS:         memref.load %f
// LOOPS:         memref.store {{.*}}, %y
// LOOPS-LABEL: func.func @cache
// LOOPS-NOT:     atlas.kv_cache_update ins
// LOOPS:         memref.load %p
// LOOPS:         memref.store {{.*}}, %c
// LOOPS-LABEL: func.func @sparse
// LOOPS-NOT:     atlas.sparse_gemm ins
// LOOPS:         memref.load %s
// LOOPS:         memref.store {{.*}}, %c
