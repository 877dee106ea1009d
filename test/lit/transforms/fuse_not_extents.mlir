// RUN: hologram-opt %s -p convert-hologram-to-atlas,fuse-atlas,cse | filecheck %s

// A reduction over an axis that its operand does not have keeps the operand that has it.

func.func @f(%x: tensor<4xf32>, %n: index) -> tensor<4xf32> {
  %b = hologram.broadcast %x sizes(%n) : tensor<4xf32> to tensor<?x4xf32>
  %r = hologram.reduce sum %b {axes = [0 : i64]} : tensor<?x4xf32> to tensor<4xf32>
  func.return %r : tensor<4xf32>
}

// CHECK-LABEL: func.func @f(%x: tensor<4xf32> {hologram.name = "x"}, %n: index {hologram.name = "n"}) -> tensor<4xf32> attributes {hologram.constraints = ["n >= 0"], hologram.results = ["(4,)"]} {
// CHECK-NEXT:    %{{[0-9]+}} = tensor.empty(%n) : tensor<?x4xf32>
// CHECK-NEXT:    %b = atlas.map ins(%x : tensor<4xf32>) outs(%{{[0-9]+}} : tensor<?x4xf32>) maps [affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0, d1)>] {
// CHECK-NEXT:    ^bb0(%{{[0-9]+}}: f32):
// CHECK-NEXT:      atlas.yield %{{[0-9]+}} : f32
// CHECK-NEXT:    }
// CHECK-NEXT:    %{{[0-9]+}} = tensor.empty() : tensor<4xf32>
// CHECK-NEXT:    %r = atlas.reduce [add f32] ins(%b : tensor<?x4xf32>) outs(%{{[0-9]+}} : tensor<4xf32>) maps [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d1)>] {
// CHECK-NEXT:    ^bb0(%{{[0-9]+}}: f32):
// CHECK-NEXT:      atlas.yield %{{[0-9]+}} : f32
// CHECK-NEXT:    }
// CHECK-NEXT:    func.return %r : tensor<4xf32>
// CHECK-NEXT:  }
