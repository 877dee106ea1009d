// RUN: hologram-opt %s -p convert-hologram-to-atlas,bufferize,cse | filecheck %s

// A value returned twice is copied once; an argument that is returned is copied.

func.func @f(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
  %r = hologram.softmax %x {axis = 0 : i64} : tensor<4xf32>
  func.return %r, %r, %x : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}

// CHECK-LABEL: func.func @f(%x: memref<4xf32> {hologram.name = "x"}, %r: memref<4xf32> {hologram.name = "r", hologram.result = "(4,)"}, %r_1: memref<4xf32> {hologram.name = "r_1", hologram.result = "(4,)"}, %x_1: memref<4xf32> {hologram.name = "x_1", hologram.result = "(4,)"}) {
// CHECK-NEXT:    atlas.softmax ins(%x : memref<4xf32>) outs(%r : memref<4xf32>) {axis = 0 : i64}
// CHECK-NEXT:    atlas.map ins(%r : memref<4xf32>) outs(%r_1 : memref<4xf32>) maps [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>] {
// CHECK-NEXT:    ^bb0(%{{[0-9]+}}: f32):
// CHECK-NEXT:      atlas.yield %{{[0-9]+}} : f32
// CHECK-NEXT:    }
// CHECK-NEXT:    atlas.map ins(%x : memref<4xf32>) outs(%x_1 : memref<4xf32>) maps [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>] {
// CHECK-NEXT:    ^bb0(%{{[0-9]+}}: f32):
// CHECK-NEXT:      atlas.yield %{{[0-9]+}} : f32
// CHECK-NEXT:    }
// CHECK-NEXT:    func.return
// CHECK-NEXT:  }
