// RUN: hologram-opt %s -p generalize-atlas | filecheck %s

// Named forms become maps and reductions; narrow sums are accumulated in f32.

func.func @f(%a: memref<?x4xf32>, %t: memref<4x?xf32>, %h: memref<?xf16>, %s: memref<f16>) {
  atlas.transpose ins(%a : memref<?x4xf32>) outs(%t : memref<4x?xf32>) {permutation = [1 : i64, 0 : i64]}
  atlas.parallel_map exp f32 ins(%t : memref<4x?xf32>) outs(%t : memref<4x?xf32>)
  atlas.parallel_reduce ins(%h : memref<?xf16>) outs(%s : memref<f16>) {kind = #atlas.kind<add>, type = #atlas.dtype<f16>}
  func.return
}

// CHECK:       atlas.map ins(%a : memref<?x4xf32>) outs(%t : memref<4x?xf32>) maps [affine_map<(d0, d1) -> (d1, d0)>, affine_map<(d0, d1) -> (d0, d1)>] {
// CHECK-NEXT:  ^{{.*}}(%[[X:.*]]: f32):
// CHECK-NEXT:    atlas.yield %[[X]] : f32
// CHECK:         %[[E:.*]] = atlas.exp f32 %{{.*}}
// CHECK-NEXT:    atlas.yield %[[E]] : f32
// CHECK:       atlas.reduce [add f32] ins(%h : memref<?xf16>) outs(%s : memref<f16>)
// CHECK:         atlas.cvt f16 to f32
// CHECK:       finish {
// CHECK:         atlas.cvt f32 to f16
