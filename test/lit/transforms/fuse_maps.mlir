// RUN: hologram-opt %s -p convert-hologram-to-atlas,fuse-atlas,cse | filecheck %s

// A chain of maps is one map, which reads each operand once.

func.func @f(%x: tensor<?xf32>, %y: tensor<?xf32>) -> tensor<?xf32> {
  %a = hologram.add %x, %y : tensor<?xf32>
  %b = hologram.exp %a : tensor<?xf32>
  %c = hologram.mul %b, %x : tensor<?xf32>
  func.return %c : tensor<?xf32>
}

// CHECK-LABEL: func.func @f(%x: tensor<?xf32> {hologram.name = "x"}, %y: tensor<?xf32> {hologram.name = "y"}) -> tensor<?xf32> attributes {hologram.constraints = ["x[0] == y[0]"], hologram.results = ["(x[0],)"]} {
// CHECK-NEXT:    %{{[0-9]+}} = arith.constant 0 : index
// CHECK-NEXT:    %{{[0-9]+}} = tensor.dim %x, %{{[0-9]+}} : tensor<?xf32>
// CHECK-NEXT:    %{{[0-9]+}} = tensor.empty(%{{[0-9]+}}) : tensor<?xf32>
// CHECK-NEXT:    %c = atlas.map ins(%x, %y : tensor<?xf32>, tensor<?xf32>) outs(%{{[0-9]+}} : tensor<?xf32>) maps [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>] {
// CHECK-NEXT:    ^bb0(%{{[0-9]+}}: f32, %{{[0-9]+}}: f32):
// CHECK-NEXT:      %{{[0-9]+}} = atlas.add f32 %{{[0-9]+}}, %{{[0-9]+}}
// CHECK-NEXT:      %{{[0-9]+}} = atlas.exp f32 %{{[0-9]+}}
// CHECK-NEXT:      %{{[0-9]+}} = atlas.mul f32 %{{[0-9]+}}, %{{[0-9]+}}
// CHECK-NEXT:      atlas.yield %{{[0-9]+}} : f32
// CHECK-NEXT:    }
// CHECK-NEXT:    func.return %c : tensor<?xf32>
// CHECK-NEXT:  }
