// RUN: hologram-opt %s -p convert-hologram-to-atlas,bufferize,cse | filecheck %s

// A reshape is a view: of an argument, or of the result that its operand is computed in.

func.func @argument(%x: tensor<?x4xf32>) -> tensor<?xf32> {
  %r = hologram.reshape %x : tensor<?x4xf32> to tensor<?xf32>
  %s = hologram.softmax %r {axis = 0 : i64} : tensor<?xf32>
  func.return %s : tensor<?xf32>
}

// CHECK-LABEL: func.func @argument(%x: memref<?x4xf32> {hologram.name = "x"}, %s: memref<?xf32> {hologram.name = "s", hologram.result = "(x[0] * 4,)"}) {
// CHECK-NEXT:    %{{[0-9]+}} = arith.constant 4 : index
// CHECK-NEXT:    %{{[0-9]+}} = arith.constant 0 : index
// CHECK-NEXT:    %{{[0-9]+}} = memref.dim %x, %{{[0-9]+}} : memref<?x4xf32>
// CHECK-NEXT:    %{{[0-9]+}} = arith.muli %{{[0-9]+}}, %{{[0-9]+}} : index
// CHECK-NEXT:    %{{[0-9]+}} = memref.reinterpret_cast %x to offset: [0], sizes: [%{{[0-9]+}}], strides: [1] : memref<?x4xf32> to memref<?xf32>
// CHECK-NEXT:    atlas.softmax ins(%{{[0-9]+}} : memref<?xf32>) outs(%s : memref<?xf32>) {axis = 0 : i64}
// CHECK-NEXT:    func.return
// CHECK-NEXT:  }

func.func @result(%x: tensor<2x4xf32>) -> tensor<8xf32> {
  %s = hologram.softmax %x {axis = 0 : i64} : tensor<2x4xf32>
  %r = hologram.reshape %s : tensor<2x4xf32> to tensor<8xf32>
  func.return %r : tensor<8xf32>
}

// CHECK-LABEL: func.func @result(%x: memref<2x4xf32> {hologram.name = "x"}, %r: memref<8xf32> {hologram.name = "r", hologram.result = "(8,)"}) {
// CHECK-NEXT:    %{{[0-9]+}} = memref.reinterpret_cast %r to offset: [0], sizes: [2, 4], strides: [4, 1] : memref<8xf32> to memref<2x4xf32>
// CHECK-NEXT:    atlas.softmax ins(%x : memref<2x4xf32>) outs(%{{[0-9]+}} : memref<2x4xf32>) {axis = 0 : i64}
// CHECK-NEXT:    func.return
// CHECK-NEXT:  }
