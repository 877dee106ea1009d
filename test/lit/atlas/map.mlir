// RUN: hologram-opt %s | hologram-opt - | filecheck %s
// RUN: hologram-opt %s --print-op-generic | hologram-opt - | filecheck %s

// A map on memrefs, and one on tensors: one result for each out.

func.func @memrefs(%a: memref<?x4xf32>, %k: f32, %o: memref<4x?xf32>) {
  atlas.map ins(%a, %k : memref<?x4xf32>, f32) outs(%o : memref<4x?xf32>)
    maps [affine_map<(d0, d1) -> (d1, d0)>, affine_map<(d0, d1) -> ()>, affine_map<(d0, d1) -> (d0, d1)>] {
  ^bb0(%x: f32, %s: f32):
    %r = atlas.mul f32 %x, %s
    atlas.yield %r : f32
  } {note = "kept"}
  func.return
}

// CHECK-LABEL: func.func @memrefs(%a: memref<?x4xf32>, %k: f32, %o: memref<4x?xf32>) {
// CHECK-NEXT:    atlas.map ins(%a, %k : memref<?x4xf32>, f32) outs(%o : memref<4x?xf32>) maps [affine_map<(d0, d1) -> (d1, d0)>, affine_map<(d0, d1) -> ()>, affine_map<(d0, d1) -> (d0, d1)>] {
// CHECK-NEXT:    ^bb0(%x: f32, %s: f32):
// CHECK-NEXT:      %r = atlas.mul f32 %x, %s
// CHECK-NEXT:      atlas.yield %r : f32
// CHECK-NEXT:    } {note = "kept"}
// CHECK-NEXT:    func.return
// CHECK-NEXT:  }

func.func @tensors(%a: tensor<8xf32>, %e: tensor<3xf32>, %p: tensor<3xi1>) -> tensor<3xi1> {
  %r, %q = atlas.map ins(%a : tensor<8xf32>) outs(%e, %p : tensor<3xf32>, tensor<3xi1>)
    maps [affine_map<(d0) -> (d0 floordiv 1)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>] {
  ^bb0(%x: f32):
    %b = atlas.setcc lt f32 %x, %x
    atlas.yield %x, %b : f32, i1
  }
  func.return %q : tensor<3xi1>
}

// CHECK-LABEL: func.func @tensors(%a: tensor<8xf32>, %e: tensor<3xf32>, %p: tensor<3xi1>) -> tensor<3xi1> {
// CHECK-NEXT:    %r, %q = atlas.map ins(%a : tensor<8xf32>) outs(%e, %p : tensor<3xf32>, tensor<3xi1>) maps [affine_map<(d0) -> ((d0 floordiv 1))>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>] {
// CHECK-NEXT:    ^bb0(%x: f32):
// CHECK-NEXT:      %b = atlas.setcc lt f32 %x, %x
// CHECK-NEXT:      atlas.yield %x, %b : f32, i1
// CHECK-NEXT:    }
// CHECK-NEXT:    func.return %q : tensor<3xi1>
// CHECK-NEXT:  }
