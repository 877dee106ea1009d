// RUN: hologram-opt %s -p assign-registers -t atlas-asm | filecheck %s
// RUN: hologram-opt %s -p assign-registers,lift-machine | filecheck %s --check-prefix=LIFTED

// Array-level operations on memrefs are an array-level program of the machine form; its regions are functions.

// CHECK:      .func layer_0(r0: f32) -> (r0: f32) {
// CHECK-NEXT:   relu.f32 r0, r0
// CHECK-NEXT:   ret
// CHECK-NEXT: }
// CHECK:      .arrays layer(buf0: f32[?, 4], buf1: f32[4, 8], buf2: f32[?, 8]) {
// CHECK-NEXT:   .temp temp0: f32[buf0.0, 8]
// CHECK-NEXT:   gemm temp0, buf0, buf1, alpha(2.0)
// CHECK-NEXT:   map buf2, temp0, maps((d0, d1) -> (d0, d1), (d0, d1) -> (d0, d1)), body(layer_0)
// CHECK-NEXT:   softmax buf2, buf2, axis(1), reassoc
// CHECK-NEXT: }

// LIFTED:      func.func @layer(%0: memref<?x4xf32> {hologram.name = "buf0"}
// LIFTED:        %[[T:.*]] = memref.alloc(%{{.*}}) : memref<?x8xf32>
// LIFTED:        atlas.gemm ins(%0, %1 : memref<?x4xf32>, memref<4x8xf32>) outs(%[[T]] : memref<?x8xf32>) {alpha = 2.000000e+00 : f64}
// LIFTED:        atlas.softmax {{.*}} {axis = 1 : i64, reassoc}
// LIFTED-NEXT:   memref.dealloc %[[T]]
// LIFTED-NOT:  machine

func.func @layer(%x: memref<?x4xf32>, %w: memref<4x8xf32>, %y: memref<?x8xf32>) {
  %c0 = arith.constant 0 : index
  %n = memref.dim %x, %c0 : memref<?x4xf32>
  %t = memref.alloc(%n) : memref<?x8xf32>
  atlas.gemm ins(%x, %w : memref<?x4xf32>, memref<4x8xf32>) outs(%t : memref<?x8xf32>) {alpha = 2.0 : f64}
  atlas.map ins(%t : memref<?x8xf32>) outs(%y : memref<?x8xf32>)
    maps [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>] {
  ^bb0(%e: f32):
    %r = atlas.relu f32 %e
    atlas.yield %r : f32
  }
  memref.dealloc %t : memref<?x8xf32>
  atlas.softmax ins(%y : memref<?x8xf32>) outs(%y : memref<?x8xf32>) {axis = 1 : i64, reassoc}
  func.return
}
