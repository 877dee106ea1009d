// RUN: hologram-opt %s -p convert-hologram-to-atlas,fuse-atlas,cse | filecheck %s

// What is stored anyway is read, not computed again; a move is not worth reading.

func.func @stored(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %a = hologram.add %x, %x : tensor<4xf32>
  %r = hologram.neg %a : tensor<4xf32>
  func.return %a, %r : tensor<4xf32>, tensor<4xf32>
}

// CHECK-LABEL: func.func @stored(%x: tensor<4xf32> {hologram.name = "x"}) -> (tensor<4xf32>, tensor<4xf32>) attributes {hologram.results = ["(4,)", "(4,)"]} {
// CHECK-NEXT:    %{{[0-9]+}} = tensor.empty() : tensor<4xf32>
// CHECK-NEXT:    %a = atlas.map ins(%x : tensor<4xf32>) outs(%{{[0-9]+}} : tensor<4xf32>) maps [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>] {
// CHECK-NEXT:    ^bb0(%{{[0-9]+}}: f32):
// CHECK-NEXT:      %{{[0-9]+}} = atlas.add f32 %{{[0-9]+}}, %{{[0-9]+}}
// CHECK-NEXT:      atlas.yield %{{[0-9]+}} : f32
// CHECK-NEXT:    }
// CHECK-NEXT:    %r = atlas.map ins(%a : tensor<4xf32>) outs(%{{[0-9]+}} : tensor<4xf32>) maps [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>] {
// CHECK-NEXT:    ^bb0(%{{[0-9]+}}: f32):
// CHECK-NEXT:      %{{[0-9]+}} = atlas.neg f32 %{{[0-9]+}}
// CHECK-NEXT:      atlas.yield %{{[0-9]+}} : f32
// CHECK-NEXT:    }
// CHECK-NEXT:    func.return %a, %r : tensor<4xf32>, tensor<4xf32>
// CHECK-NEXT:  }

func.func @moved(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %a = hologram.slice %x {starts = [3 : i64], strides = [-1 : i64]} : tensor<4xf32>
  %r = hologram.neg %a : tensor<4xf32>
  func.return %a, %r : tensor<4xf32>, tensor<4xf32>
}

// CHECK-LABEL: func.func @moved(%x: tensor<4xf32> {hologram.name = "x"}) -> (tensor<4xf32>, tensor<4xf32>) attributes {hologram.results = ["(4,)", "(4,)"]} {
// CHECK-NEXT:    %{{[0-9]+}} = tensor.empty() : tensor<4xf32>
// CHECK-NEXT:    %a = atlas.map ins(%x : tensor<4xf32>) outs(%{{[0-9]+}} : tensor<4xf32>) maps [affine_map<(d0) -> (((d0 * -1) + 3))>, affine_map<(d0) -> (d0)>] {
// CHECK-NEXT:    ^bb0(%{{[0-9]+}}: f32):
// CHECK-NEXT:      atlas.yield %{{[0-9]+}} : f32
// CHECK-NEXT:    }
// CHECK-NEXT:    %r = atlas.map ins(%x : tensor<4xf32>) outs(%{{[0-9]+}} : tensor<4xf32>) maps [affine_map<(d0) -> (((d0 * -1) + 3))>, affine_map<(d0) -> (d0)>] {
// CHECK-NEXT:    ^bb0(%{{[0-9]+}}: f32):
// CHECK-NEXT:      %{{[0-9]+}} = atlas.neg f32 %{{[0-9]+}}
// CHECK-NEXT:      atlas.yield %{{[0-9]+}} : f32
// CHECK-NEXT:    }
// CHECK-NEXT:    func.return %a, %r : tensor<4xf32>, tensor<4xf32>
// CHECK-NEXT:  }
