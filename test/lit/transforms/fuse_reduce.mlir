// RUN: hologram-opt %s -p convert-hologram-to-atlas,fuse-atlas,cse | filecheck %s

// A producer goes into the body of a reduction, a consumer with its other operands into the finish region.

func.func @f(%x: tensor<?x4xf32>, %y: tensor<?xf32>) -> tensor<?xf32> {
  %a = hologram.mul %x, %x : tensor<?x4xf32>
  %s = hologram.reduce sum %a {axes = [1 : i64]} : tensor<?x4xf32> to tensor<?xf32>
  %e = hologram.exp %y : tensor<?xf32>
  %r = hologram.add %s, %e : tensor<?xf32>
  func.return %r : tensor<?xf32>
}

// CHECK-LABEL: func.func @f(%x: tensor<?x4xf32> {hologram.name = "x"}, %y: tensor<?xf32> {hologram.name = "y"}) -> tensor<?xf32> attributes {hologram.constraints = ["x[0] == y[0]"], hologram.results = ["(x[0],)"]} {
// CHECK-NEXT:    %{{[0-9]+}} = arith.constant 0 : index
// CHECK-NEXT:    %{{[0-9]+}} = tensor.dim %x, %{{[0-9]+}} : tensor<?x4xf32>
// CHECK-NEXT:    %{{[0-9]+}} = tensor.dim %y, %{{[0-9]+}} : tensor<?xf32>
// CHECK-NEXT:    %{{[0-9]+}} = tensor.empty(%{{[0-9]+}}) : tensor<?xf32>
// CHECK-NEXT:    %r = atlas.reduce [add f32] ins(%x : tensor<?x4xf32>) finish_ins(%y : tensor<?xf32>) outs(%{{[0-9]+}} : tensor<?xf32>) maps [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d0)>] {
// CHECK-NEXT:    ^bb0(%{{[0-9]+}}: f32):
// CHECK-NEXT:      %{{[0-9]+}} = atlas.mul f32 %{{[0-9]+}}, %{{[0-9]+}}
// CHECK-NEXT:      atlas.yield %{{[0-9]+}} : f32
// CHECK-NEXT:    } finish {
// CHECK-NEXT:    ^bb0(%{{[0-9]+}}: f32, %{{[0-9]+}}: f32):
// CHECK-NEXT:      %{{[0-9]+}} = atlas.exp f32 %{{[0-9]+}}
// CHECK-NEXT:      %{{[0-9]+}} = atlas.add f32 %{{[0-9]+}}, %{{[0-9]+}}
// CHECK-NEXT:      atlas.yield %{{[0-9]+}} : f32
// CHECK-NEXT:    }
// CHECK-NEXT:    func.return %r : tensor<?xf32>
// CHECK-NEXT:  }
