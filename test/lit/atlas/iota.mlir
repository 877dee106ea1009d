// RUN: hologram-opt %s | hologram-opt - | filecheck %s
// RUN: hologram-opt %s --print-op-generic | hologram-opt - | filecheck %s
// RUN: hologram-opt %s -p 'schedule-atlas{bounds=trust}' | filecheck %s --check-prefix LOOPS

// Indices are operands without memory: the one result of their indexing map is the element.

func.func @f(%o: memref<?x8xi32>) {
  %i = atlas.iota : !atlas.iota<i32>
  atlas.map ins(%i : !atlas.iota<i32>) outs(%o : memref<?x8xi32>)
    maps [affine_map<(d0, d1) -> (d0 * 3 + d1)>, affine_map<(d0, d1) -> (d0, d1)>] {
  ^bb0(%x: i32):
    atlas.yield %x : i32
  }
  func.return
}

// CHECK-LABEL: func.func @f(%o: memref<?x8xi32>) {
// CHECK-NEXT:    %i = atlas.iota : !atlas.iota<i32>
// CHECK-NEXT:    atlas.map ins(%i : !atlas.iota<i32>) outs(%o : memref<?x8xi32>) maps [affine_map<(d0, d1) -> (((d0 * 3) + d1))>, affine_map<(d0, d1) -> (d0, d1)>] {
// CHECK-NEXT:    ^bb0(%x: i32):
// CHECK-NEXT:      atlas.yield %x : i32
// CHECK-NEXT:    }
// CHECK-NEXT:    func.return
// CHECK-NEXT:  }

// LOOPS:       scf.parallel (%[[I:.*]]) =
// LOOPS:         scf.for %[[J:.*]] =
// LOOPS:           %[[M:.*]] = arith.muli %[[I]], %{{.*}} : index
// LOOPS:           %[[A:.*]] = arith.addi %[[M]], %[[J]] : index
// LOOPS-NEXT:      %[[X:.*]] = arith.index_cast %[[A]] : index to i32
// LOOPS-NEXT:      memref.store %[[X]], %o[%[[I]], %[[J]]] : memref<?x8xi32>
