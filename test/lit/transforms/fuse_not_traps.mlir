// RUN: hologram-opt %s -p convert-hologram-to-atlas,fuse-atlas,cse | filecheck %s

// An element that traps must be computed: what may trap is no part of a slice, but of a permutation.

func.func @part(%x: tensor<4xi32>, %y: tensor<4xi32>) -> tensor<2xi32> {
  %q = hologram.div %x, %y : tensor<4xi32>
  %r = hologram.slice %q {starts = [0 : i64], strides = [1 : i64]} : tensor<4xi32> to tensor<2xi32>
  func.return %r : tensor<2xi32>
}

// CHECK-LABEL: func.func @part(%x: tensor<4xi32> {hologram.name = "x"}, %y: tensor<4xi32> {hologram.name = "y"}) -> tensor<2xi32> attributes {hologram.results = ["(2,)"]} {
// CHECK-NEXT:    %{{[0-9]+}} = tensor.empty() : tensor<4xi32>
// CHECK-NEXT:    %q = atlas.map ins(%x, %y : tensor<4xi32>, tensor<4xi32>) outs(%{{[0-9]+}} : tensor<4xi32>) maps [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>] {
// CHECK-NEXT:    ^bb0(%{{[0-9]+}}: i32, %{{[0-9]+}}: i32):
// CHECK-NEXT:      %{{[0-9]+}} = atlas.div i32 %{{[0-9]+}}, %{{[0-9]+}}
// CHECK-NEXT:      atlas.yield %{{[0-9]+}} : i32
// CHECK-NEXT:    }
// CHECK-NEXT:    %{{[0-9]+}} = tensor.empty() : tensor<2xi32>
// CHECK-NEXT:    %r = atlas.map ins(%q : tensor<4xi32>) outs(%{{[0-9]+}} : tensor<2xi32>) maps [affine_map<(d0) -> ((d0 floordiv 1))>, affine_map<(d0) -> (d0)>] {
// CHECK-NEXT:    ^bb0(%{{[0-9]+}}: i32):
// CHECK-NEXT:      atlas.yield %{{[0-9]+}} : i32
// CHECK-NEXT:    }
// CHECK-NEXT:    func.return %r : tensor<2xi32>
// CHECK-NEXT:  }

func.func @whole(%x: tensor<2x3xi32>, %y: tensor<2x3xi32>) -> tensor<3x2xi32> {
  %q = hologram.div %x, %y : tensor<2x3xi32>
  %r = hologram.transpose %q {permutation = [1 : i64, 0 : i64]} : tensor<2x3xi32> to tensor<3x2xi32>
  %s = hologram.neg %r : tensor<3x2xi32>
  func.return %s : tensor<3x2xi32>
}

// CHECK-LABEL: func.func @whole(%x: tensor<2x3xi32> {hologram.name = "x"}, %y: tensor<2x3xi32> {hologram.name = "y"}) -> tensor<3x2xi32> attributes {hologram.results = ["(3, 2)"]} {
// CHECK-NEXT:    %{{[0-9]+}} = tensor.empty() : tensor<3x2xi32>
// CHECK-NEXT:    %s = atlas.map ins(%x, %y : tensor<2x3xi32>, tensor<2x3xi32>) outs(%{{[0-9]+}} : tensor<3x2xi32>) maps [affine_map<(d0, d1) -> (d1, d0)>, affine_map<(d0, d1) -> (d1, d0)>, affine_map<(d0, d1) -> (d0, d1)>] {
// CHECK-NEXT:    ^bb0(%{{[0-9]+}}: i32, %{{[0-9]+}}: i32):
// CHECK-NEXT:      %{{[0-9]+}} = atlas.div i32 %{{[0-9]+}}, %{{[0-9]+}}
// CHECK-NEXT:      %{{[0-9]+}} = atlas.neg i32 %{{[0-9]+}}
// CHECK-NEXT:      atlas.yield %{{[0-9]+}} : i32
// CHECK-NEXT:    }
// CHECK-NEXT:    func.return %s : tensor<3x2xi32>
// CHECK-NEXT:  }
