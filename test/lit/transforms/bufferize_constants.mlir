// RUN: hologram-opt %s -p convert-hologram-to-atlas,bufferize,cse | filecheck %s

// Constants are globals of the module.

// CHECK: memref.global "private" constant @constant_0 : memref<2xf32> = dense<[1.000000e+00, 2.000000e+00]> {alignment = 64 : i64}

func.func @f(%x: tensor<2xf32>) -> tensor<2xf32> {
  %k = hologram.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %s = hologram.add %x, %k : tensor<2xf32>
  func.return %s : tensor<2xf32>
}

// CHECK-LABEL: func.func @f(%x: memref<2xf32> {hologram.name = "x"}, %s: memref<2xf32> {hologram.name = "s", hologram.result = "(2,)"}) {
// CHECK-NEXT:    %k = memref.get_global @constant_0 : memref<2xf32>
// CHECK-NEXT:    atlas.map ins(%x, %k : memref<2xf32>, memref<2xf32>) outs(%s : memref<2xf32>) maps [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>] {
// CHECK-NEXT:    ^bb0(%{{[0-9]+}}: f32, %{{[0-9]+}}: f32):
// CHECK-NEXT:      %{{[0-9]+}} = atlas.add f32 %{{[0-9]+}}, %{{[0-9]+}}
// CHECK-NEXT:      atlas.yield %{{[0-9]+}} : f32
// CHECK-NEXT:    }
// CHECK-NEXT:    func.return
// CHECK-NEXT:  }
