// RUN: hologram-opt %s -p convert-hologram-to-atlas,bufferize,cse | filecheck %s

// Parts are computed in their places; a part that is an argument is copied there.

func.func @f(%x: tensor<?x4xf32>, %y: tensor<2x4xf32>) -> tensor<?x4xf32> {
  %a = hologram.softmax %x {axis = 1 : i64} : tensor<?x4xf32>
  %r = hologram.concat %a, %y {axis = 0 : i64} : (tensor<?x4xf32>, tensor<2x4xf32>) -> tensor<?x4xf32>
  func.return %r : tensor<?x4xf32>
}

// CHECK-LABEL: func.func @f(%x: memref<?x4xf32> {hologram.name = "x"}, %y: memref<2x4xf32> {hologram.name = "y"}, %r: memref<?x4xf32> {hologram.name = "r", hologram.result = "(x[0] + 2, 4)"}) {
// CHECK-NEXT:    %{{[0-9]+}} = arith.constant 0 : index
// CHECK-NEXT:    %{{[0-9]+}} = memref.dim %x, %{{[0-9]+}} : memref<?x4xf32>
// CHECK-NEXT:    %{{[0-9]+}} = arith.constant 2 : index
// CHECK-NEXT:    %{{[0-9]+}} = memref.subview %r[0, 0] [%{{[0-9]+}}, 4] [1, 1] : memref<?x4xf32> to memref<?x4xf32, strided<[4, 1]>>
// CHECK-NEXT:    atlas.softmax ins(%x : memref<?x4xf32>) outs(%{{[0-9]+}} : memref<?x4xf32, strided<[4, 1]>>) {axis = 1 : i64}
// CHECK-NEXT:    %{{[0-9]+}} = memref.subview %r[%{{[0-9]+}}, 0] [2, 4] [1, 1] : memref<?x4xf32> to memref<2x4xf32, strided<[4, 1], offset: ?>>
// CHECK-NEXT:    atlas.map ins(%y : memref<2x4xf32>) outs(%{{[0-9]+}} : memref<2x4xf32, strided<[4, 1], offset: ?>>) maps [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>] {
// CHECK-NEXT:    ^bb0(%{{[0-9]+}}: f32):
// CHECK-NEXT:      atlas.yield %{{[0-9]+}} : f32
// CHECK-NEXT:    }
// CHECK-NEXT:    func.return
// CHECK-NEXT:  }
