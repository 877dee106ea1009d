// RUN: hologram-opt %s -p bufferize | filecheck %s

// A region may use scalars from outside; what computes sizes moves up; results keep their attributes.

func.func @f(%x: tensor<4xf32>, %k: f32, %n: i64) -> (tensor<4xf32> {hologram.name = "scaled"}) {
  %s = arith.addi %n, %n : i64
  %m = arith.index_cast %s : i64 to index
  %e = tensor.empty(%m) : tensor<?xf32>
  %u = atlas.fill ins(%k : f32) outs(%e : tensor<?xf32>)
  %r = atlas.map ins(%x : tensor<4xf32>) outs(%x : tensor<4xf32>) maps [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>] {
  ^bb0(%a: f32):
    %b = atlas.mul f32 %a, %k
    atlas.yield %b : f32
  }
  func.return %r : tensor<4xf32>
}

// CHECK-LABEL: func.func @f(%x: memref<4xf32> {hologram.name = "x"}, %k: f32 {hologram.name = "k"}, %n: i64 {hologram.name = "n"}, %r: memref<4xf32> {hologram.name = "scaled", hologram.result = "(4,)"}) {
// CHECK-NEXT:    %s = arith.addi %n, %n : i64
// CHECK-NEXT:    %m = arith.index_cast %s : i64 to index
// CHECK-NEXT:    %u = memref.alloc(%m) {alignment = 64 : i64, hologram.of = "{{[a-z._]+}}"} : memref<?xf32>
// CHECK-NEXT:    atlas.fill ins(%k : f32) outs(%u : memref<?xf32>)
// CHECK-NEXT:    memref.dealloc %u : memref<?xf32>
// CHECK-NEXT:    atlas.map ins(%x : memref<4xf32>) outs(%r : memref<4xf32>) maps [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>] {
// CHECK-NEXT:    ^bb0(%a: f32):
// CHECK-NEXT:      %b = atlas.mul f32 %a, %k
// CHECK-NEXT:      atlas.yield %b : f32
// CHECK-NEXT:    }
// CHECK-NEXT:    func.return
// CHECK-NEXT:  }
