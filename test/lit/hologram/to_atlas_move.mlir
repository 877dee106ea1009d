// RUN: hologram-opt %s -p convert-hologram-to-atlas | filecheck %s

// Transposes and slices are maps; an axis that is not read to its end is read by no bare dimension.

func.func @transpose(%x: tensor<2x3x4xf32>) -> tensor<4x2x3xf32> {
  %r = hologram.transpose %x {permutation = [2 : i64, 0 : i64, 1 : i64]} : tensor<2x3x4xf32> to tensor<4x2x3xf32>
  func.return %r : tensor<4x2x3xf32>
}

// CHECK-LABEL: func.func @transpose(%x: tensor<2x3x4xf32> {hologram.name = "x"}) -> tensor<4x2x3xf32> attributes {hologram.results = ["(4, 2, 3)"]} {
// CHECK-NEXT:    %{{[0-9]+}} = tensor.empty() : tensor<4x2x3xf32>
// CHECK-NEXT:    %r = atlas.map ins(%x : tensor<2x3x4xf32>) outs(%{{[0-9]+}} : tensor<4x2x3xf32>) maps [affine_map<(d0, d1, d2) -> (d1, d2, d0)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>] {
// CHECK-NEXT:    ^bb0(%{{[0-9]+}}: f32):
// CHECK-NEXT:      atlas.yield %{{[0-9]+}} : f32
// CHECK-NEXT:    }
// CHECK-NEXT:    func.return %r : tensor<4x2x3xf32>
// CHECK-NEXT:  }

func.func @slice(%x: tensor<8x8x8xf32>) -> tensor<3x8x2xf32> {
  %r = hologram.slice %x {starts = [0 : i64, 0 : i64, 7 : i64], strides = [1 : i64, 1 : i64, -3 : i64]} : tensor<8x8x8xf32> to tensor<3x8x2xf32>
  func.return %r : tensor<3x8x2xf32>
}

// CHECK-LABEL: func.func @slice(%x: tensor<8x8x8xf32> {hologram.name = "x"}) -> tensor<3x8x2xf32> attributes {hologram.results = ["(3, 8, 2)"]} {
// CHECK-NEXT:    %{{[0-9]+}} = tensor.empty() : tensor<3x8x2xf32>
// CHECK-NEXT:    %r = atlas.map ins(%x : tensor<8x8x8xf32>) outs(%{{[0-9]+}} : tensor<3x8x2xf32>) maps [affine_map<(d0, d1, d2) -> ((d0 floordiv 1), d1, ((d2 * -3) + 7))>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>] {
// CHECK-NEXT:    ^bb0(%{{[0-9]+}}: f32):
// CHECK-NEXT:      atlas.yield %{{[0-9]+}} : f32
// CHECK-NEXT:    }
// CHECK-NEXT:    func.return %r : tensor<3x8x2xf32>
// CHECK-NEXT:  }
