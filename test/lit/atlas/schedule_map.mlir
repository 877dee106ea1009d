// RUN: hologram-opt %s -p 'schedule-atlas{bounds=trust}' | filecheck %s

// Dimensions that all operands walk densely merge; what does not change along a row is loaded before it.

func.func @bias(%a: memref<?x4x8xf32>, %v: memref<?xf32>, %r: memref<?x4x8xf32>) {
  atlas.map ins(%a, %v : memref<?x4x8xf32>, memref<?xf32>) outs(%r : memref<?x4x8xf32>)
    maps [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0)>,
          affine_map<(d0, d1, d2) -> (d0, d1, d2)>] {
  ^bb0(%x: f32, %y: f32):
    %s = atlas.add f32 %x, %y
    atlas.yield %s : f32
  }
  func.return
}

// CHECK:       %[[N:.*]] = memref.dim %a, %{{.*}} : memref<?x4x8xf32>
// CHECK:       %[[A:.*]] = memref.collapse_shape %a {{.*}} : memref<?x4x8xf32> into memref<?x32xf32>
// CHECK-NEXT:  %[[R:.*]] = memref.collapse_shape %r {{.*}} : memref<?x4x8xf32> into memref<?x32xf32>
// CHECK:       scf.parallel (%[[I:.*]]) = (%{{.*}}) to (%[[N]]) step (%{{.*}})
// CHECK-NEXT:    %[[Y:.*]] = memref.load %v[%[[I]]] : memref<?xf32>
// CHECK:         %[[C:.*]] = arith.constant 32 : index
// CHECK:         scf.for %[[J:.*]] = %{{.*}} to %[[C]] step
// CHECK-NEXT:      %[[X:.*]] = memref.load %[[A]][%[[I]], %[[J]]] : memref<?x32xf32>
// CHECK-NEXT:      %[[S:.*]] = atlas.add f32 %[[X]], %[[Y]]
// CHECK-NEXT:      memref.store %[[S]], %[[R]][%[[I]], %[[J]]] : memref<?x32xf32>
