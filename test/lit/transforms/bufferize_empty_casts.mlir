// RUN: hologram-opt %s -p canonicalize,bufferize | filecheck %s

// The sizes of an empty tensor are constants: canonicalize makes it static, and casts it. The cast is empty too.

func.func @f(%x: tensor<4xf32>) -> tensor<?xf32> attributes {hologram.results = ["(4,)"]} {
  %n = arith.constant 4 : index
  %e = tensor.empty(%n) : tensor<?xf32>
  %r = atlas.map ins(%x : tensor<4xf32>) outs(%e : tensor<?xf32>) maps [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>] {
  ^bb0(%a: f32):
    %s = atlas.add f32 %a, %a
    atlas.yield %s : f32
  }
  func.return %r : tensor<?xf32>
}

// CHECK-LABEL: func.func @f(
// CHECK-NOT:     memref.alloc
// CHECK:         atlas.map ins(%x : memref<4xf32>) outs(%r : memref<?xf32>)
// CHECK-NOT:     atlas.map
// CHECK:         func.return
