// RUN: hologram-opt %s -p schedule-atlas --split-input-file | filecheck %s

// Sizes that the runtime checks before the launch need no guard.

func.func @proven(%a: memref<?xf32>, %b: memref<?xf32>) attributes {hologram.constraints = ["a[0] == b[0]"]} {
  atlas.map ins(%a : memref<?xf32>) outs(%b : memref<?xf32>)
    maps [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>] {
  ^bb0(%x: f32):
    atlas.yield %x : f32
  }
  func.return
}

// CHECK-LABEL: @proven
// CHECK-NOT:   atlas.assert
// CHECK:       func.return

// -----

// Nothing says that these agree. The second map relies on the guard of the first.

func.func @unknown(%a: memref<?xf32>, %b: memref<?xf32>) {
  atlas.map ins(%a : memref<?xf32>) outs(%b : memref<?xf32>)
    maps [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>] {
  ^bb0(%x: f32):
    atlas.yield %x : f32
  }
  atlas.map ins(%b : memref<?xf32>) outs(%a : memref<?xf32>)
    maps [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>] {
  ^bb0(%x: f32):
    atlas.yield %x : f32
  }
  func.return
}

// CHECK-LABEL: @unknown
// CHECK:       %[[SAME:.*]] = arith.cmpi eq, %[[M:.*]], %[[N:.*]] : index
// CHECK-NEXT:  atlas.assert %[[SAME]], "atlas.map: axis 0 of out 0 must have the size of axis 0 of in 0" values(%[[M]], %[[N]] : index, index)
// CHECK-NOT:   atlas.assert
