// RUN: hologram-opt %s | hologram-opt - | filecheck %s
// RUN: hologram-opt %s -p generalize-atlas | filecheck %s --check-prefix=GENERAL

// Normalisations become two reductions and a map.

func.func @norm(%x: memref<?x8xf32>, %w: memref<8xf32>, %y: memref<?x8xf32>) {
  atlas.layer_norm ins(%x, %w, %w : memref<?x8xf32>, memref<8xf32>, memref<8xf32>) outs(%y : memref<?x8xf32>) {eps = 1.000000e-05 : f64}
  func.return
}

// CHECK: atlas.layer_norm ins(%x, %w, %w : memref<?x8xf32>, memref<8xf32>, memref<8xf32>) outs(%y : memref<?x8xf32>) {eps = 1.000000e-05 : f64}

// GENERAL:      atlas.reduce [add f32] ins(%x : memref<?x8xf32>) finish_ins(%[[N:.*]] : f32) outs(%[[MEAN:.*]] : memref<?xf32>)
// GENERAL:        atlas.div
// GENERAL:      atlas.reduce [add f32] ins(%x, %[[MEAN]] : memref<?x8xf32>, memref<?xf32>) finish_ins(%{{.*}} : f32) outs(%[[DEV:.*]] : memref<?xf32>)
// GENERAL:        atlas.sqrt
// GENERAL:      atlas.map ins(%x, %[[MEAN]], %[[DEV]], %w, %w : {{.*}}) outs(%y : memref<?x8xf32>)
// GENERAL:      memref.dealloc %[[MEAN]]
// GENERAL-NEXT: memref.dealloc %[[DEV]]
