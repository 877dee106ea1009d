// RUN: hologram-opt %s -p convert-hologram-to-atlas,bufferize,cse | filecheck %s

// Results are arguments at the end, written where they are computed; a value in between is freed after its last use.

func.func @f(%x: tensor<?x4xf32>) -> tensor<?xf32> {
  %b = hologram.softmax %x {axis = 1 : i64} : tensor<?x4xf32>
  %c = hologram.reduce max %b {axes = [1 : i64]} : tensor<?x4xf32> to tensor<?xf32>
  func.return %c : tensor<?xf32>
}

// CHECK-LABEL: func.func @f(%x: memref<?x4xf32> {hologram.name = "x"}, %c: memref<?xf32> {hologram.name = "c", hologram.result = "(x[0],)"}) {
// CHECK-NEXT:    %{{[0-9]+}} = arith.constant 0 : index
// CHECK-NEXT:    %{{[0-9]+}} = memref.dim %x, %{{[0-9]+}} : memref<?x4xf32>
// CHECK-NEXT:    %b = memref.alloc(%{{[0-9]+}}) {alignment = 64 : i64, hologram.of = "{{[a-z._]+}}"} : memref<?x4xf32>
// CHECK-NEXT:    atlas.softmax ins(%x : memref<?x4xf32>) outs(%b : memref<?x4xf32>) {axis = 1 : i64}
// CHECK-NEXT:    atlas.reduce [max.nan f32] ins(%b : memref<?x4xf32>) outs(%c : memref<?xf32>) maps [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>] {
// CHECK-NEXT:    ^bb0(%{{[0-9]+}}: f32):
// CHECK-NEXT:      atlas.yield %{{[0-9]+}} : f32
// CHECK-NEXT:    }
// CHECK-NEXT:    memref.dealloc %b : memref<?x4xf32>
// CHECK-NEXT:    func.return
// CHECK-NEXT:  }
