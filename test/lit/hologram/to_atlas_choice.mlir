// RUN: hologram-opt %s -p convert-hologram-to-atlas | filecheck %s

// Comparisons, selection and conversion.

func.func @f(%x: tensor<2xf32>, %y: tensor<2xf32>) -> tensor<2xi8> {
  %p = hologram.compare le %x, %y : tensor<2xf32>
  %s = hologram.select %p, %x, %y : tensor<2xf32>
  %c = hologram.cast to_unsigned %s : tensor<2xf32> to tensor<2xi8>
  func.return %c : tensor<2xi8>
}

// CHECK-LABEL: func.func @f(%x: tensor<2xf32> {hologram.name = "x"}, %y: tensor<2xf32> {hologram.name = "y"}) -> tensor<2xi8> attributes {hologram.results = ["(2,)"]} {
// CHECK-NEXT:    %{{[0-9]+}} = tensor.empty() : tensor<2xi1>
// CHECK-NEXT:    %p = atlas.map ins(%x, %y : tensor<2xf32>, tensor<2xf32>) outs(%{{[0-9]+}} : tensor<2xi1>) maps [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>] {
// CHECK-NEXT:    ^bb0(%{{[0-9]+}}: f32, %{{[0-9]+}}: f32):
// CHECK-NEXT:      %{{[0-9]+}} = atlas.setcc le f32 %{{[0-9]+}}, %{{[0-9]+}}
// CHECK-NEXT:      atlas.yield %{{[0-9]+}} : i1
// CHECK-NEXT:    }
// CHECK-NEXT:    %{{[0-9]+}} = tensor.empty() : tensor<2xf32>
// CHECK-NEXT:    %s = atlas.map ins(%p, %x, %y : tensor<2xi1>, tensor<2xf32>, tensor<2xf32>) outs(%{{[0-9]+}} : tensor<2xf32>) maps [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>] {
// CHECK-NEXT:    ^bb0(%{{[0-9]+}}: i1, %{{[0-9]+}}: f32, %{{[0-9]+}}: f32):
// CHECK-NEXT:      %{{[0-9]+}} = atlas.sel f32 %{{[0-9]+}}, %{{[0-9]+}}, %{{[0-9]+}}
// CHECK-NEXT:      atlas.yield %{{[0-9]+}} : f32
// CHECK-NEXT:    }
// CHECK-NEXT:    %{{[0-9]+}} = tensor.empty() : tensor<2xi8>
// CHECK-NEXT:    %c = atlas.map ins(%s : tensor<2xf32>) outs(%{{[0-9]+}} : tensor<2xi8>) maps [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>] {
// CHECK-NEXT:    ^bb0(%{{[0-9]+}}: f32):
// CHECK-NEXT:      %{{[0-9]+}} = atlas.cvt f32 to u8 %{{[0-9]+}}
// CHECK-NEXT:      atlas.yield %{{[0-9]+}} : i8
// CHECK-NEXT:    }
// CHECK-NEXT:    func.return %c : tensor<2xi8>
// CHECK-NEXT:  }
