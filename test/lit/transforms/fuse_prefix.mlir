// RUN: hologram-opt %s -p convert-hologram-to-atlas,fuse-atlas,cse | filecheck %s

// The start of a longer axis stays told from a whole axis: what is read has no say in the extent.

func.func @f(%x: tensor<8xf32>, %y: tensor<3xf32>) -> tensor<f32> {
  %a = hologram.slice %x {starts = [0 : i64], strides = [1 : i64]} : tensor<8xf32> to tensor<3xf32>
  %b = hologram.mul %a, %y : tensor<3xf32>
  %c = hologram.reduce sum %b {axes = [0 : i64]} : tensor<3xf32> to tensor<f32>
  func.return %c : tensor<f32>
}

// CHECK-LABEL: func.func @f(%x: tensor<8xf32> {hologram.name = "x"}, %y: tensor<3xf32> {hologram.name = "y"}) -> tensor<f32> attributes {hologram.results = ["()"]} {
// CHECK-NEXT:    %{{[0-9]+}} = tensor.empty() : tensor<f32>
// CHECK-NEXT:    %c = atlas.reduce [add f32] ins(%x, %y : tensor<8xf32>, tensor<3xf32>) outs(%{{[0-9]+}} : tensor<f32>) maps [affine_map<(d0) -> ((d0 floordiv 1))>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>] {
// CHECK-NEXT:    ^bb0(%{{[0-9]+}}: f32, %{{[0-9]+}}: f32):
// CHECK-NEXT:      %{{[0-9]+}} = atlas.mul f32 %{{[0-9]+}}, %{{[0-9]+}}
// CHECK-NEXT:      atlas.yield %{{[0-9]+}} : f32
// CHECK-NEXT:    }
// CHECK-NEXT:    func.return %c : tensor<f32>
// CHECK-NEXT:  }

func.func @back_and_forth(%x: tensor<8xf32>) -> tensor<3xf32> {
  %a = hologram.slice %x {starts = [2 : i64], strides = [-1 : i64]} : tensor<8xf32> to tensor<3xf32>
  %b = hologram.slice %a {starts = [2 : i64], strides = [-1 : i64]} : tensor<3xf32> to tensor<3xf32>
  func.return %b : tensor<3xf32>
}

// CHECK-LABEL: func.func @back_and_forth(%x: tensor<8xf32> {hologram.name = "x"}) -> tensor<3xf32> attributes {hologram.results = ["(3,)"]} {
// CHECK-NEXT:    %{{[0-9]+}} = tensor.empty() : tensor<3xf32>
// CHECK-NEXT:    %b = atlas.map ins(%x : tensor<8xf32>) outs(%{{[0-9]+}} : tensor<3xf32>) maps [affine_map<(d0) -> ((d0 floordiv 1))>, affine_map<(d0) -> (d0)>] {
// CHECK-NEXT:    ^bb0(%{{[0-9]+}}: f32):
// CHECK-NEXT:      atlas.yield %{{[0-9]+}} : f32
// CHECK-NEXT:    }
// CHECK-NEXT:    func.return %b : tensor<3xf32>
// CHECK-NEXT:  }
