// RUN: hologram-opt %s -p convert-hologram-to-atlas | filecheck %s

// A reduction keeps the axes it does not combine; sums of f16 are taken in f32; min and max let NaN win.

func.func @sum(%x: tensor<2x3xf16>) -> tensor<3xf16> {
  %r = hologram.reduce sum %x {axes = [0 : i64]} : tensor<2x3xf16> to tensor<3xf16>
  func.return %r : tensor<3xf16>
}

// CHECK-LABEL: func.func @sum(%x: tensor<2x3xf16> {hologram.name = "x"}) -> tensor<3xf16> attributes {hologram.results = ["(3,)"]} {
// CHECK-NEXT:    %{{[0-9]+}} = tensor.empty() : tensor<3xf16>
// CHECK-NEXT:    %r = atlas.reduce [add f32] ins(%x : tensor<2x3xf16>) outs(%{{[0-9]+}} : tensor<3xf16>) maps [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d1)>] {
// CHECK-NEXT:    ^bb0(%{{[0-9]+}}: f16):
// CHECK-NEXT:      %{{[0-9]+}} = atlas.cvt f16 to f32 %{{[0-9]+}}
// CHECK-NEXT:      atlas.yield %{{[0-9]+}} : f32
// CHECK-NEXT:    } finish {
// CHECK-NEXT:    ^bb0(%{{[0-9]+}}: f32):
// CHECK-NEXT:      %{{[0-9]+}} = atlas.cvt f32 to f16 %{{[0-9]+}}
// CHECK-NEXT:      atlas.yield %{{[0-9]+}} : f16
// CHECK-NEXT:    }
// CHECK-NEXT:    func.return %r : tensor<3xf16>
// CHECK-NEXT:  }

func.func @least(%x: tensor<2x3xi32>) -> tensor<i32> {
  %r = hologram.reduce min unsigned %x {axes = [0 : i64, 1 : i64]} : tensor<2x3xi32> to tensor<i32>
  func.return %r : tensor<i32>
}

// CHECK-LABEL: func.func @least(%x: tensor<2x3xi32> {hologram.name = "x"}) -> tensor<i32> attributes {hologram.results = ["()"]} {
// CHECK-NEXT:    %{{[0-9]+}} = tensor.empty() : tensor<i32>
// CHECK-NEXT:    %r = atlas.reduce [min.nan u32] ins(%x : tensor<2x3xi32>) outs(%{{[0-9]+}} : tensor<i32>) maps [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> ()>] {
// CHECK-NEXT:    ^bb0(%{{[0-9]+}}: i32):
// CHECK-NEXT:      atlas.yield %{{[0-9]+}} : i32
// CHECK-NEXT:    }
// CHECK-NEXT:    func.return %r : tensor<i32>
// CHECK-NEXT:  }
