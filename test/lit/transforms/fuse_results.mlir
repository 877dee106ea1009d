// RUN: hologram-opt %s -p fuse-atlas | filecheck %s

// A map of two results is no producer.

func.func @producer(%x: tensor<4xf32>) -> tensor<4xf32> {
  %a, %b = atlas.map ins(%x : tensor<4xf32>) outs(%x, %x : tensor<4xf32>, tensor<4xf32>)
    maps [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>] {
  ^bb0(%e: f32):
    atlas.yield %e, %e : f32, f32
  }
  %r = atlas.map ins(%a : tensor<4xf32>) outs(%x : tensor<4xf32>) maps [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>] {
  ^bb0(%e: f32):
    atlas.yield %e : f32
  }
  func.return %r : tensor<4xf32>
}

// CHECK-LABEL: func.func @producer(%x: tensor<4xf32>) -> tensor<4xf32> {
// CHECK-NEXT:    %a, %b = atlas.map ins(%x : tensor<4xf32>) outs(%x, %x : tensor<4xf32>, tensor<4xf32>) maps [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>] {
// CHECK-NEXT:    ^bb0(%e: f32):
// CHECK-NEXT:      atlas.yield %e, %e : f32, f32
// CHECK-NEXT:    }
// CHECK-NEXT:    %r = atlas.map ins(%a : tensor<4xf32>) outs(%x : tensor<4xf32>) maps [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>] {
// CHECK-NEXT:    ^bb0(%e_1: f32):
// CHECK-NEXT:      atlas.yield %e_1 : f32
// CHECK-NEXT:    }
// CHECK-NEXT:    func.return %r : tensor<4xf32>
// CHECK-NEXT:  }
