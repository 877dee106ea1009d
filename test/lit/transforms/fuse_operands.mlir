// RUN: hologram-opt %s -p fuse-atlas | filecheck %s

// Equal operands become one; one that nothing reads goes, unless it alone tells an extent.

func.func @equal(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  %r = atlas.map ins(%x, %y, %y : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) outs(%x : tensor<4xf32>)
    maps [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>] {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %s = atlas.add f32 %b, %c
    atlas.yield %s : f32
  }
  func.return %r : tensor<4xf32>
}

// CHECK-LABEL: func.func @equal(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
// CHECK-NEXT:    %r = atlas.map ins(%y : tensor<4xf32>) outs(%x : tensor<4xf32>) maps [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>] {
// CHECK-NEXT:    ^bb0(%b: f32):
// CHECK-NEXT:      %s = atlas.add f32 %b, %b
// CHECK-NEXT:      atlas.yield %s : f32
// CHECK-NEXT:    }
// CHECK-NEXT:    func.return %r : tensor<4xf32>
// CHECK-NEXT:  }

func.func @extent(%x: tensor<4xf32>, %k: f32, %e: tensor<f32>) -> tensor<f32> {
  %r = atlas.reduce [add f32] ins(%x, %k : tensor<4xf32>, f32) outs(%e : tensor<f32>)
    maps [affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>, affine_map<(d0) -> ()>] {
  ^bb0(%a: f32, %b: f32):
    atlas.yield %b : f32
  }
  func.return %r : tensor<f32>
}

// CHECK-LABEL: func.func @extent(%x: tensor<4xf32>, %k: f32, %e: tensor<f32>) -> tensor<f32> {
// CHECK-NEXT:    %r = atlas.reduce [add f32] ins(%x, %k : tensor<4xf32>, f32) outs(%e : tensor<f32>) maps [affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>, affine_map<(d0) -> ()>] {
// CHECK-NEXT:    ^bb0(%a: f32, %b: f32):
// CHECK-NEXT:      atlas.yield %b : f32
// CHECK-NEXT:    }
// CHECK-NEXT:    func.return %r : tensor<f32>
// CHECK-NEXT:  }
