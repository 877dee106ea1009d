// RUN: hologram-opt %s -p fuse-atlas | filecheck %s

// A reduction that also gives a shape to its reader is not finished there.

func.func @shape(%x: tensor<4x2xf32>, %e: tensor<4xf32>) -> tensor<4xf32> {
  %s = atlas.reduce [add f32] ins(%x : tensor<4x2xf32>) outs(%e : tensor<4xf32>)
    maps [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>] {
  ^bb0(%a: f32):
    atlas.yield %a : f32
  }
  %r = atlas.map ins(%s : tensor<4xf32>) outs(%s : tensor<4xf32>) maps [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>] {
  ^bb0(%a: f32):
    %b = atlas.neg f32 %a
    atlas.yield %b : f32
  }
  func.return %r : tensor<4xf32>
}

// CHECK-LABEL: func.func @shape(%x: tensor<4x2xf32>, %e: tensor<4xf32>) -> tensor<4xf32> {
// CHECK-NEXT:    %s = atlas.reduce [add f32] ins(%x : tensor<4x2xf32>) outs(%e : tensor<4xf32>) maps [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>] {
// CHECK-NEXT:    ^bb0(%a: f32):
// CHECK-NEXT:      atlas.yield %a : f32
// CHECK-NEXT:    }
// CHECK-NEXT:    %r = atlas.map ins(%s : tensor<4xf32>) outs(%s : tensor<4xf32>) maps [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>] {
// CHECK-NEXT:    ^bb0(%a_1: f32):
// CHECK-NEXT:      %b = atlas.neg f32 %a_1
// CHECK-NEXT:      atlas.yield %b : f32
// CHECK-NEXT:    }
// CHECK-NEXT:    func.return %r : tensor<4xf32>
// CHECK-NEXT:  }
