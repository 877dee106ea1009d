// RUN: hologram-opt %s -p canonicalize,cse | filecheck %s

// What writes memory, or may trap, stays although nothing reads a result; the rest goes.

func.func @memrefs(%a: memref<4xf32>, %o: memref<4xf32>) {
  atlas.copy ins(%a : memref<4xf32>) outs(%o : memref<4xf32>)
  atlas.copy ins(%a : memref<4xf32>) outs(%o : memref<4xf32>)
  func.return
}

// CHECK-LABEL: func.func @memrefs(%a: memref<4xf32>, %o: memref<4xf32>) {
// CHECK-NEXT:    atlas.copy ins(%a : memref<4xf32>) outs(%o : memref<4xf32>)
// CHECK-NEXT:    atlas.copy ins(%a : memref<4xf32>) outs(%o : memref<4xf32>)
// CHECK-NEXT:    func.return
// CHECK-NEXT:  }

func.func @tensors(%a: tensor<4xi32>, %b: tensor<4xf32>) {
  %r = atlas.map ins(%a : tensor<4xi32>) outs(%a : tensor<4xi32>) maps [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>] {
  ^bb0(%x: i32):
    %q = atlas.div i32 %x, %x
    atlas.yield %q : i32
  }
  %s = atlas.map ins(%b : tensor<4xf32>) outs(%b : tensor<4xf32>) maps [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>] {
  ^bb0(%x: f32):
    %q = atlas.div f32 %x, %x
    atlas.yield %q : f32
  }
  %t = atlas.softmax ins(%b : tensor<4xf32>) outs(%b : tensor<4xf32>) {axis = 0 : i64}
  %u = atlas.parallel_map_binary div f32 ins(%b, %b : tensor<4xf32>, tensor<4xf32>) outs(%b : tensor<4xf32>)
  %v = atlas.parallel_map_binary rem i32 ins(%a, %a : tensor<4xi32>, tensor<4xi32>) outs(%a : tensor<4xi32>)
  func.return
}

// CHECK-LABEL: func.func @tensors(%a: tensor<4xi32>, %b: tensor<4xf32>) {
// CHECK-NEXT:    %r = atlas.map ins(%a : tensor<4xi32>) outs(%a : tensor<4xi32>) maps [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>] {
// CHECK-NEXT:    ^bb0(%x: i32):
// CHECK-NEXT:      %q = atlas.div i32 %x, %x
// CHECK-NEXT:      atlas.yield %q : i32
// CHECK-NEXT:    }
// CHECK-NEXT:    %v = atlas.parallel_map_binary rem i32 ins(%a, %a : tensor<4xi32>, tensor<4xi32>) outs(%a : tensor<4xi32>)
// CHECK-NEXT:    func.return
// CHECK-NEXT:  }

func.func @indices(%x: tensor<4x2xf32>, %i: tensor<3xi64>, %n: tensor<3x2xf32>, %p: tensor<i64>, %v: tensor<3xf32>) {
  %g = atlas.gather ins(%x, %i : tensor<4x2xf32>, tensor<3xi64>) outs(%n : tensor<3x2xf32>) {axis = 0 : i64}
  %s = atlas.scatter ins(%x, %i, %n : tensor<4x2xf32>, tensor<3xi64>, tensor<3x2xf32>) outs(%x : tensor<4x2xf32>) {axis = 0 : i64}
  %k = atlas.kv_cache_update ins(%x, %n, %p : tensor<4x2xf32>, tensor<3x2xf32>, tensor<i64>) outs(%x : tensor<4x2xf32>)
  %c = atlas.sparse_gemm ins(%v, %i, %i, %x : tensor<3xf32>, tensor<3xi64>, tensor<3xi64>, tensor<4x2xf32>) outs(%n : tensor<3x2xf32>)
  %l = atlas.softmax ins(%n : tensor<3x2xf32>) outs(%n : tensor<3x2xf32>) {axis = 0 : i64}
  func.return
}

// CHECK-LABEL: func.func @indices(
// CHECK-NEXT:    %g = atlas.gather
// CHECK-NEXT:    %s = atlas.scatter
// CHECK-NEXT:    %k = atlas.kv_cache_update
// CHECK-NEXT:    %c = atlas.sparse_gemm
// CHECK-NEXT:    func.return
