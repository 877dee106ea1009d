// RUN: hologram-opt %s -p convert-hologram-to-atlas,bufferize{layout=strided},cse | filecheck %s

// Arguments of any strides; a reshape of one copies it first, for its elements may not be in a row.

func.func @f(%x: tensor<?x4xf32>) -> tensor<?xf32> {
  %r = hologram.reshape %x : tensor<?x4xf32> to tensor<?xf32>
  %s = hologram.softmax %r {axis = 0 : i64} : tensor<?xf32>
  func.return %s : tensor<?xf32>
}

// CHECK-LABEL: func.func @f(%x: memref<?x4xf32, strided<[?, ?]>> {hologram.name = "x"}, %s: memref<?xf32, strided<[?]>> {hologram.name = "s", hologram.result = "(x[0] * 4,)"}) {
// CHECK-NEXT:    %{{[0-9]+}} = arith.constant 4 : index
// CHECK-NEXT:    %{{[0-9]+}} = arith.constant 0 : index
// CHECK-NEXT:    %{{[0-9]+}} = memref.dim %x, %{{[0-9]+}} : memref<?x4xf32, strided<[?, ?]>>
// CHECK-NEXT:    %{{[0-9]+}} = arith.muli %{{[0-9]+}}, %{{[0-9]+}} : index
// CHECK-NEXT:    %x_1 = memref.alloc(%{{[0-9]+}}) {alignment = 64 : i64} : memref<?x4xf32>
// CHECK-NEXT:    atlas.map ins(%x : memref<?x4xf32, strided<[?, ?]>>) outs(%x_1 : memref<?x4xf32>) maps [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>] {
// CHECK-NEXT:    ^bb0(%{{[0-9]+}}: f32):
// CHECK-NEXT:      atlas.yield %{{[0-9]+}} : f32
// CHECK-NEXT:    }
// CHECK-NEXT:    %{{[0-9]+}} = memref.reinterpret_cast %x_1 to offset: [0], sizes: [%{{[0-9]+}}], strides: [1] : memref<?x4xf32> to memref<?xf32>
// CHECK-NEXT:    atlas.softmax ins(%{{[0-9]+}} : memref<?xf32>) outs(%s : memref<?xf32, strided<[?]>>) {axis = 0 : i64}
// CHECK-NEXT:    memref.dealloc %x_1 : memref<?x4xf32>
// CHECK-NEXT:    func.return
// CHECK-NEXT:  }
