// RUN: hologram-opt %s -p convert-hologram-to-atlas,fuse-atlas,cse | filecheck %s

// Nothing dear is computed again: not for each row, not for two readings of one value.

func.func @rows(%x: tensor<4xf32>) -> tensor<3x4xf32> {
  %e = hologram.exp %x : tensor<4xf32>
  %b = hologram.broadcast %e : tensor<4xf32> to tensor<3x4xf32>
  %r = hologram.neg %b : tensor<3x4xf32>
  func.return %r : tensor<3x4xf32>
}

// CHECK-LABEL: func.func @rows(%x: tensor<4xf32> {hologram.name = "x"}) -> tensor<3x4xf32> attributes {hologram.results = ["(3, 4)"]} {
// CHECK-NEXT:    %{{[0-9]+}} = tensor.empty() : tensor<4xf32>
// CHECK-NEXT:    %e = atlas.map ins(%x : tensor<4xf32>) outs(%{{[0-9]+}} : tensor<4xf32>) maps [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>] {
// CHECK-NEXT:    ^bb0(%{{[0-9]+}}: f32):
// CHECK-NEXT:      %{{[0-9]+}} = atlas.exp f32 %{{[0-9]+}}
// CHECK-NEXT:      atlas.yield %{{[0-9]+}} : f32
// CHECK-NEXT:    }
// CHECK-NEXT:    %{{[0-9]+}} = tensor.empty() : tensor<3x4xf32>
// CHECK-NEXT:    %r = atlas.map ins(%e : tensor<4xf32>) outs(%{{[0-9]+}} : tensor<3x4xf32>) maps [affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0, d1)>] {
// CHECK-NEXT:    ^bb0(%{{[0-9]+}}: f32):
// CHECK-NEXT:      %{{[0-9]+}} = atlas.neg f32 %{{[0-9]+}}
// CHECK-NEXT:      atlas.yield %{{[0-9]+}} : f32
// CHECK-NEXT:    }
// CHECK-NEXT:    func.return %r : tensor<3x4xf32>
// CHECK-NEXT:  }

func.func @readings(%x: tensor<3x3xf32>) -> tensor<3x3xf32> {
  %e = hologram.exp %x : tensor<3x3xf32>
  %t = hologram.transpose %e {permutation = [1 : i64, 0 : i64]} : tensor<3x3xf32>
  %r = hologram.add %e, %t : tensor<3x3xf32>
  func.return %r : tensor<3x3xf32>
}

// CHECK-LABEL: func.func @readings(%x: tensor<3x3xf32> {hologram.name = "x"}) -> tensor<3x3xf32> attributes {hologram.results = ["(3, 3)"]} {
// CHECK-NEXT:    %{{[0-9]+}} = tensor.empty() : tensor<3x3xf32>
// CHECK-NEXT:    %e = atlas.map ins(%x : tensor<3x3xf32>) outs(%{{[0-9]+}} : tensor<3x3xf32>) maps [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>] {
// CHECK-NEXT:    ^bb0(%{{[0-9]+}}: f32):
// CHECK-NEXT:      %{{[0-9]+}} = atlas.exp f32 %{{[0-9]+}}
// CHECK-NEXT:      atlas.yield %{{[0-9]+}} : f32
// CHECK-NEXT:    }
// CHECK-NEXT:    %r = atlas.map ins(%e, %e : tensor<3x3xf32>, tensor<3x3xf32>) outs(%{{[0-9]+}} : tensor<3x3xf32>) maps [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d1, d0)>, affine_map<(d0, d1) -> (d0, d1)>] {
// CHECK-NEXT:    ^bb0(%{{[0-9]+}}: f32, %{{[0-9]+}}: f32):
// CHECK-NEXT:      %{{[0-9]+}} = atlas.add f32 %{{[0-9]+}}, %{{[0-9]+}}
// CHECK-NEXT:      atlas.yield %{{[0-9]+}} : f32
// CHECK-NEXT:    }
// CHECK-NEXT:    func.return %r : tensor<3x3xf32>
// CHECK-NEXT:  }
