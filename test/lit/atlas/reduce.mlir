// RUN: hologram-opt %s | hologram-opt - | filecheck %s
// RUN: hologram-opt %s --print-op-generic | hologram-opt - | filecheck %s

// A reduction with a finish region, and one of two values over captured names of kinds.

func.func @finish(%a: memref<4x8xf16>, %k: memref<4xf32>, %o: memref<4xf32>) {
  atlas.reduce [add f32] ins(%a : memref<4x8xf16>) finish_ins(%k : memref<4xf32>) outs(%o : memref<4xf32>)
    maps [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d0)>] {
  ^bb0(%x: f16):
    %w = atlas.cvt f16 to f32 %x
    atlas.yield %w : f32
  } finish {
  ^bb0(%sum: f32, %s: f32):
    %r = atlas.div f32 %sum, %s
    atlas.yield %r : f32
  }
  func.return
}

// CHECK-LABEL: func.func @finish(%a: memref<4x8xf16>, %k: memref<4xf32>, %o: memref<4xf32>) {
// CHECK-NEXT:    atlas.reduce [add f32] ins(%a : memref<4x8xf16>) finish_ins(%k : memref<4xf32>) outs(%o : memref<4xf32>) maps [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d0)>] {
// CHECK-NEXT:    ^bb0(%x: f16):
// CHECK-NEXT:      %w = atlas.cvt f16 to f32 %x
// CHECK-NEXT:      atlas.yield %w : f32
// CHECK-NEXT:    } finish {
// CHECK-NEXT:    ^bb0(%sum: f32, %s: f32):
// CHECK-NEXT:      %r = atlas.div f32 %sum, %s
// CHECK-NEXT:      atlas.yield %r : f32
// CHECK-NEXT:    }
// CHECK-NEXT:    func.return
// CHECK-NEXT:  }

func.func @two(%a: tensor<?xi32>, %e: tensor<i32>) -> tensor<i32> {
  %l, %g = atlas.reduce [min i32, max.nan u32] ins(%a : tensor<?xi32>) outs(%e, %e : tensor<i32>, tensor<i32>)
    maps [affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>, affine_map<(d0) -> ()>] {
  ^bb0(%x: i32):
    atlas.yield %x, %x : i32, i32
  }
  func.return %g : tensor<i32>
}

// CHECK-LABEL: func.func @two(%a: tensor<?xi32>, %e: tensor<i32>) -> tensor<i32> {
// CHECK-NEXT:    %l, %g = atlas.reduce [min i32, max.nan u32] ins(%a : tensor<?xi32>) outs(%e, %e : tensor<i32>, tensor<i32>) maps [affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>, affine_map<(d0) -> ()>] {
// CHECK-NEXT:    ^bb0(%x: i32):
// CHECK-NEXT:      atlas.yield %x, %x : i32, i32
// CHECK-NEXT:    }
// CHECK-NEXT:    func.return %g : tensor<i32>
// CHECK-NEXT:  }
