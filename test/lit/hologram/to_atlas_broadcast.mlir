// RUN: hologram-opt %s -p convert-hologram-to-atlas | filecheck %s

// A broadcast reads by the axes it keeps; an axis of size 1 at 0.

func.func @f(%x: tensor<1x?xf32>, %n: index) -> tensor<2x?x?xf32> {
  %r = hologram.broadcast %x sizes(%n, %n) {axes = [0 : i64, 2 : i64]} : tensor<1x?xf32> to tensor<2x?x?xf32>
  func.return %r : tensor<2x?x?xf32>
}

// CHECK-LABEL: func.func @f(%x: tensor<1x?xf32> {hologram.name = "x"}, %n: index {hologram.name = "n"}) -> tensor<2x?x?xf32> attributes {hologram.constraints = ["n == x[1]", "n >= 0"], hologram.results = ["(2, n, n)"]} {
// CHECK-NEXT:    %{{[0-9]+}} = tensor.empty(%n, %n) : tensor<2x?x?xf32>
// CHECK-NEXT:    %r = atlas.map ins(%x : tensor<1x?xf32>) outs(%{{[0-9]+}} : tensor<2x?x?xf32>) maps [affine_map<(d0, d1, d2) -> (0, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>] {
// CHECK-NEXT:    ^bb0(%{{[0-9]+}}: f32):
// CHECK-NEXT:      atlas.yield %{{[0-9]+}} : f32
// CHECK-NEXT:    }
// CHECK-NEXT:    func.return %r : tensor<2x?x?xf32>
// CHECK-NEXT:  }
