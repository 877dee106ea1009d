// RUN: hologram-opt %s -p convert-hologram-to-atlas | filecheck %s

// Element-wise operations are maps of one instruction; equal sizes become constraints.

func.func @binary(%x: tensor<?x4xf32>, %y: tensor<?x4xf32>) -> tensor<?x4xf32> {
  %r = hologram.max %x, %y : tensor<?x4xf32>
  func.return %r : tensor<?x4xf32>
}

// CHECK-LABEL: func.func @binary(%x: tensor<?x4xf32> {hologram.name = "x"}, %y: tensor<?x4xf32> {hologram.name = "y"}) -> tensor<?x4xf32> attributes {hologram.constraints = ["x[0] == y[0]"], hologram.results = ["(x[0], 4)"]} {
// CHECK-NEXT:    %{{[0-9]+}} = arith.constant 0 : index
// CHECK-NEXT:    %{{[0-9]+}} = tensor.dim %x, %{{[0-9]+}} : tensor<?x4xf32>
// CHECK-NEXT:    %{{[0-9]+}} = tensor.empty(%{{[0-9]+}}) : tensor<?x4xf32>
// CHECK-NEXT:    %r = atlas.map ins(%x, %y : tensor<?x4xf32>, tensor<?x4xf32>) outs(%{{[0-9]+}} : tensor<?x4xf32>) maps [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>] {
// CHECK-NEXT:    ^bb0(%{{[0-9]+}}: f32, %{{[0-9]+}}: f32):
// CHECK-NEXT:      %{{[0-9]+}} = atlas.max.nan f32 %{{[0-9]+}}, %{{[0-9]+}}
// CHECK-NEXT:      atlas.yield %{{[0-9]+}} : f32
// CHECK-NEXT:    }
// CHECK-NEXT:    func.return %r : tensor<?x4xf32>
// CHECK-NEXT:  }

func.func @shift(%x: tensor<2xi64>, %n: tensor<2xi64>) -> tensor<2xi64> {
  %r = hologram.shr unsigned %x, %n : tensor<2xi64>
  func.return %r : tensor<2xi64>
}

// CHECK-LABEL: func.func @shift(%x: tensor<2xi64> {hologram.name = "x"}, %n: tensor<2xi64> {hologram.name = "n"}) -> tensor<2xi64> attributes {hologram.results = ["(2,)"]} {
// CHECK-NEXT:    %{{[0-9]+}} = tensor.empty() : tensor<2xi64>
// CHECK-NEXT:    %r = atlas.map ins(%x, %n : tensor<2xi64>, tensor<2xi64>) outs(%{{[0-9]+}} : tensor<2xi64>) maps [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>] {
// CHECK-NEXT:    ^bb0(%{{[0-9]+}}: i64, %{{[0-9]+}}: i64):
// CHECK-NEXT:      %{{[0-9]+}} = atlas.cvt u64 to u32 %{{[0-9]+}}
// CHECK-NEXT:      %{{[0-9]+}} = atlas.shr u64 %{{[0-9]+}}, %{{[0-9]+}}
// CHECK-NEXT:      atlas.yield %{{[0-9]+}} : i64
// CHECK-NEXT:    }
// CHECK-NEXT:    func.return %r : tensor<2xi64>
// CHECK-NEXT:  }
