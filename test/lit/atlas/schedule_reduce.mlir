// RUN: hologram-opt %s -p 'schedule-atlas{vector-bytes=16}' | filecheck %s

// Six static elements: eight accumulators, halved three times, in vectors. Padding with the identity, -0, changes nothing.

func.func @sum(%a: memref<6xf32>, %r: memref<f32>) {
  atlas.reduce [add f32] ins(%a : memref<6xf32>) outs(%r : memref<f32>)
    maps [affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>] {
  ^bb0(%x: f32):
    atlas.yield %x : f32
  }
  func.return
}

// CHECK:       %[[ACC:.*]] = memref.alloca() : memref<8xf32>
// CHECK:       scf.for
// CHECK-NEXT:    %[[ZERO:.*]] = atlas.mov_imm -0.000000e+00 : f32
// CHECK-NEXT:    memref.store %[[ZERO]], %[[ACC]]
// CHECK-NEXT:  } {hologram.vectorize = 8 : i64}
// CHECK:       scf.for %[[L:.*]] = %{{.*}} to
// CHECK-NEXT:    %[[OLD:.*]] = memref.load %[[ACC]][%[[L]]]
// CHECK-NEXT:    %[[X:.*]] = memref.load %a[%[[L]]] : memref<6xf32>
// CHECK-NEXT:    %[[NEW:.*]] = atlas.add f32 %[[OLD]], %[[X]]
// CHECK-NEXT:    memref.store %[[NEW]], %[[ACC]][%[[L]]]
// CHECK-NOT:   scf.for
// CHECK:       arith.addf {{.*}} : vector<4xf32>
// CHECK:       arith.addf {{.*}} : vector<2xf32>
// CHECK:       atlas.add f32
// CHECK:       memref.store %{{.*}}, %r[] : memref<f32>
