// RUN: hologram-opt %s -p bufferize | filecheck %s

// Where insertions may overlap, parts are copied in their turn.

func.func @overlap(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<6xf32> {
  %e = tensor.empty() : tensor<6xf32>
  %b = atlas.softmax ins(%y : tensor<4xf32>) outs(%y : tensor<4xf32>) {axis = 0 : i64}
  %a = atlas.softmax ins(%x : tensor<4xf32>) outs(%x : tensor<4xf32>) {axis = 0 : i64}
  %p = tensor.insert_slice %a into %e[0] [4] [1] : tensor<4xf32> into tensor<6xf32>
  %q = tensor.insert_slice %b into %p[2] [4] [1] : tensor<4xf32> into tensor<6xf32>
  func.return %q : tensor<6xf32>
}

// CHECK-LABEL: func.func @overlap(%x: memref<4xf32> {hologram.name = "x"}, %y: memref<4xf32> {hologram.name = "y"}, %q: memref<6xf32> {hologram.name = "q", hologram.result = "(6,)"}) {
// CHECK-NEXT:    %b = memref.alloc() {alignment = 64 : i64, hologram.of = "{{[a-z._]+}}"} : memref<4xf32>
// CHECK-NEXT:    atlas.softmax ins(%y : memref<4xf32>) outs(%b : memref<4xf32>) {axis = 0 : i64}
// CHECK-NEXT:    %a = memref.alloc() {alignment = 64 : i64, hologram.of = "{{[a-z._]+}}"} : memref<4xf32>
// CHECK-NEXT:    atlas.softmax ins(%x : memref<4xf32>) outs(%a : memref<4xf32>) {axis = 0 : i64}
// CHECK-NEXT:    %{{[0-9]+}} = memref.subview %q[0] [4] [1] : memref<6xf32> to memref<4xf32, strided<[1]>>
// CHECK-NEXT:    atlas.map ins(%a : memref<4xf32>) outs(%{{[0-9]+}} : memref<4xf32, strided<[1]>>) maps [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>] {
// CHECK-NEXT:    ^bb0(%{{[0-9]+}}: f32):
// CHECK-NEXT:      atlas.yield %{{[0-9]+}} : f32
// CHECK-NEXT:    }
// CHECK-NEXT:    memref.dealloc %a : memref<4xf32>
// CHECK-NEXT:    %{{[0-9]+}} = memref.subview %q[2] [4] [1] : memref<6xf32> to memref<4xf32, strided<[1], offset: 2>>
// CHECK-NEXT:    atlas.map ins(%b : memref<4xf32>) outs(%{{[0-9]+}} : memref<4xf32, strided<[1], offset: 2>>) maps [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>] {
// CHECK-NEXT:    ^bb0(%{{[0-9]+}}: f32):
// CHECK-NEXT:      atlas.yield %{{[0-9]+}} : f32
// CHECK-NEXT:    }
// CHECK-NEXT:    memref.dealloc %b : memref<4xf32>
// CHECK-NEXT:    func.return
// CHECK-NEXT:  }
