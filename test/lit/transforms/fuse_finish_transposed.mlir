// RUN: hologram-opt %s -p convert-hologram-to-atlas,fuse-atlas,cse | filecheck %s

// A transpose after a reduction is another map of its out; rank 0 finishes too.

func.func @transposed(%x: tensor<2x3x4xf32>) -> tensor<3x2xf32> {
  %s = hologram.reduce max %x {axes = [2 : i64]} : tensor<2x3x4xf32> to tensor<2x3xf32>
  %r = hologram.transpose %s {permutation = [1 : i64, 0 : i64]} : tensor<2x3xf32> to tensor<3x2xf32>
  func.return %r : tensor<3x2xf32>
}

// CHECK-LABEL: func.func @transposed(%x: tensor<2x3x4xf32> {hologram.name = "x"}) -> tensor<3x2xf32> attributes {hologram.results = ["(3, 2)"]} {
// CHECK-NEXT:    %{{[0-9]+}} = tensor.empty() : tensor<3x2xf32>
// CHECK-NEXT:    %r = atlas.reduce [max.nan f32] ins(%x : tensor<2x3x4xf32>) outs(%{{[0-9]+}} : tensor<3x2xf32>) maps [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d1, d0)>] {
// CHECK-NEXT:    ^bb0(%{{[0-9]+}}: f32):
// CHECK-NEXT:      atlas.yield %{{[0-9]+}} : f32
// CHECK-NEXT:    } finish {
// CHECK-NEXT:    ^bb0(%{{[0-9]+}}: f32):
// CHECK-NEXT:      atlas.yield %{{[0-9]+}} : f32
// CHECK-NEXT:    }
// CHECK-NEXT:    func.return %r : tensor<3x2xf32>
// CHECK-NEXT:  }

func.func @scalar(%x: tensor<4xf32>) -> tensor<f32> {
  %s = hologram.reduce sum %x {axes = [0 : i64]} : tensor<4xf32> to tensor<f32>
  %r = hologram.sqrt %s : tensor<f32>
  func.return %r : tensor<f32>
}

// CHECK-LABEL: func.func @scalar(%x: tensor<4xf32> {hologram.name = "x"}) -> tensor<f32> attributes {hologram.results = ["()"]} {
// CHECK-NEXT:    %{{[0-9]+}} = tensor.empty() : tensor<f32>
// CHECK-NEXT:    %r = atlas.reduce [add f32] ins(%x : tensor<4xf32>) outs(%{{[0-9]+}} : tensor<f32>) maps [affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>] {
// CHECK-NEXT:    ^bb0(%{{[0-9]+}}: f32):
// CHECK-NEXT:      atlas.yield %{{[0-9]+}} : f32
// CHECK-NEXT:    } finish {
// CHECK-NEXT:    ^bb0(%{{[0-9]+}}: f32):
// CHECK-NEXT:      %{{[0-9]+}} = atlas.sqrt f32 %{{[0-9]+}}
// CHECK-NEXT:      atlas.yield %{{[0-9]+}} : f32
// CHECK-NEXT:    }
// CHECK-NEXT:    func.return %r : tensor<f32>
// CHECK-NEXT:  }
