// RUN: hologram-opt %s -p "insert-coherence-checks{split=true}" | filecheck %s

// The check is a function of its own, which takes results as they are; without what has no residue there is none.

#line = affine_map<(d0) -> (d0)>

// CHECK-LABEL: func.func @main(
// CHECK-NOT:     llvm.fence
// CHECK:         atlas.map ins(%x : memref<?xi32>) outs(%r : memref<?xi32>)
// CHECK-NOT:     atlas.assert
// CHECK:       func.func @main.check(%x: memref<?xi32>, %r: memref<?xi32>) {
// CHECK:         atlas.reduce [add i64] ins(%x, %r : memref<?xi32>, memref<?xi32>)
// CHECK:         llvm.fence
// CHECK:         atlas.assert
// CHECK:       func.func @other(
// CHECK-NOT:     hologram.coherence
func.func @main(%x: memref<?xi32>, %r: memref<?xi32> {hologram.result = "(x[0],)"}) {
  atlas.map ins(%x : memref<?xi32>) outs(%r : memref<?xi32>) maps [#line, #line] {
  ^bb0(%e: i32):
    %s = atlas.add i32 %e, %e
    atlas.yield %s : i32
  }
  func.return
}

func.func @other(%x: memref<?xi32>, %r: memref<?xi32>) {
  atlas.map ins(%x : memref<?xi32>) outs(%r : memref<?xi32>) maps [#line, #line] {
  ^bb0(%e: i32):
    %s = atlas.max i32 %e, %e
    atlas.yield %s : i32
  }
  func.return
}
