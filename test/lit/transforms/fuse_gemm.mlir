// RUN: hologram-opt %s -p fuse-atlas | filecheck %s

// A map that alone reads a product, element by element in its place, is done to each element before it is stored.

#same = affine_map<(d0, d1) -> (d0, d1)>
#column = affine_map<(d0, d1) -> (d1)>
#first = affine_map<(d0, d1) -> (0, d1)>
#flip = affine_map<(d0, d1) -> (d1, d0)>

// CHECK-LABEL: func.func @bias(
// CHECK-NEXT: %{{.*}} = atlas.gemm ins(%a, %b : {{.*}}) finish_ins(%v, %w : tensor<?xf32>, tensor<1x?xf32>) outs(%h : tensor<?x?xf16>) {alpha = 2.000000e+00 : f64} maps [affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (0, d1)>] finish {
// CHECK-NEXT: ^bb0(%[[E:.*]]: f32, %[[V:.*]]: f32, %[[W:.*]]: f32):
// CHECK-NEXT:   %[[S:.*]] = atlas.fma f32 %[[E]], %[[V]], %[[W]]
// CHECK-NEXT:   %[[H:.*]] = atlas.cvt f32 to f16 %[[S]]
// CHECK-NEXT:   atlas.yield %[[H]] : f16
func.func @bias(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>, %v: tensor<?xf32>, %w: tensor<1x?xf32>, %h: tensor<?x?xf16>) -> tensor<?x?xf16> {
  %p = atlas.gemm ins(%a, %b : tensor<?x?xf32>, tensor<?x?xf32>) outs(%a : tensor<?x?xf32>) {alpha = 2.0 : f64}
  %r = atlas.map ins(%p, %v, %w : tensor<?x?xf32>, tensor<?xf32>, tensor<1x?xf32>) outs(%h : tensor<?x?xf16>) maps [#same, #column, #first, #same] {
  ^bb0(%x: f32, %y: f32, %z: f32):
    %s = atlas.fma f32 %x, %y, %z
    %t = atlas.cvt f32 to f16 %s
    atlas.yield %t : f16
  }
  func.return %r : tensor<?x?xf16>
}

// Not where it is stored across.
// CHECK-LABEL: func.func @across(
// CHECK: atlas.gemm
// CHECK: atlas.map
func.func @across(%a: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %p = atlas.gemm ins(%a, %a : tensor<?x?xf32>, tensor<?x?xf32>) outs(%a : tensor<?x?xf32>)
  %r = atlas.map ins(%p : tensor<?x?xf32>) outs(%a : tensor<?x?xf32>) maps [#flip, #same] {
  ^bb0(%x: f32):
    %s = atlas.neg f32 %x
    atlas.yield %s : f32
  }
  func.return %r : tensor<?x?xf32>
}
