// RUN: hologram-opt %s -p convert-hologram-to-atlas,fuse-atlas,cse | filecheck %s

// Constants, broadcasts, transposes and slices are indexing, also where they are used twice.

func.func @f(%x: tensor<4xf32>, %y: tensor<8x3xf32>) -> tensor<3x4xf32> {
  %k = hologram.constant dense<2.0> : tensor<4xf32>
  %a = hologram.mul %x, %k : tensor<4xf32>
  %b = hologram.broadcast %a : tensor<4xf32> to tensor<3x4xf32>
  %t = hologram.transpose %y {permutation = [1 : i64, 0 : i64]} : tensor<8x3xf32> to tensor<3x8xf32>
  %s = hologram.slice %t {starts = [0 : i64, 7 : i64], strides = [1 : i64, -2 : i64]} : tensor<3x8xf32> to tensor<3x4xf32>
  %c = hologram.add %b, %s : tensor<3x4xf32>
  %r = hologram.div %c, %s : tensor<3x4xf32>
  func.return %r : tensor<3x4xf32>
}

// CHECK-LABEL: func.func @f(%x: tensor<4xf32> {hologram.name = "x"}, %y: tensor<8x3xf32> {hologram.name = "y"}) -> tensor<3x4xf32> attributes {hologram.results = ["(3, 4)"]} {
// CHECK-NEXT:    %{{[0-9]+}} = tensor.empty() : tensor<3x4xf32>
// CHECK-NEXT:    %r = atlas.map ins(%x, %y : tensor<4xf32>, tensor<8x3xf32>) outs(%{{[0-9]+}} : tensor<3x4xf32>) maps [affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (((d1 * -2) + 7), d0)>, affine_map<(d0, d1) -> (d0, d1)>] {
// CHECK-NEXT:    ^bb0(%{{[0-9]+}}: f32, %{{[0-9]+}}: f32):
// CHECK-NEXT:      %{{[0-9]+}} = atlas.mov_imm 2.000000e+00 : f32
// CHECK-NEXT:      %{{[0-9]+}} = atlas.mul f32 %{{[0-9]+}}, %{{[0-9]+}}
// CHECK-NEXT:      %{{[0-9]+}} = atlas.add f32 %{{[0-9]+}}, %{{[0-9]+}}
// CHECK-NEXT:      %{{[0-9]+}} = atlas.div f32 %{{[0-9]+}}, %{{[0-9]+}}
// CHECK-NEXT:      atlas.yield %{{[0-9]+}} : f32
// CHECK-NEXT:    }
// CHECK-NEXT:    func.return %r : tensor<3x4xf32>
// CHECK-NEXT:  }
