// RUN: hologram-opt %s -p 'schedule-atlas{target=processor},convert-parallel-loops-to-gpu{block-size=1},canonicalize,cse' | filecheck %s

// Processors behind a language for devices: an iteration of a parallel loop is a block of one thread, which adds up a
// row with the accumulators in the innermost loop; there are no vectors, barriers and shared memory.

func.func @rows(%a: memref<100x4096xf32>, %r: memref<100xf32>) {
  atlas.reduce [add f32] ins(%a : memref<100x4096xf32>) outs(%r : memref<100xf32>)
    maps [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>] {
  ^bb0(%x: f32):
    atlas.yield %x : f32
  }
  func.return
}

// CHECK-LABEL: @rows
// CHECK-DAG:   [[LANES:%.*]] = arith.constant 128 : index
// CHECK-DAG:   [[GROUPS:%.*]] = arith.constant 32 : index
// CHECK-DAG:   [[ONE:%.*]] = arith.constant 1 : index
// CHECK-NOT:   vector.
// CHECK-NOT:   gpu.barrier
// CHECK:       gpu.launch {{.*}} = [[ONE]], {{.*}} = [[ONE]]) threads{{.*}} = [[ONE]], {{.*}} = [[ONE]], {{.*}} = [[ONE]])
// CHECK:         [[SUMS:%.*]] = memref.alloca() : memref<128xf32>
// CHECK:         scf.for %g = %{{[0-9]+}} to [[GROUPS]] step [[ONE]]
// CHECK-NEXT:      scf.for [[LANE:%.*]] = %{{[0-9]+}} to [[LANES]] step [[ONE]]
// CHECK:             memref.load [[SUMS]]{{\[}}[[LANE]]]
// CHECK:             memref.store %{{[0-9]+}}, [[SUMS]]{{\[}}[[LANE]]]
// CHECK:       func.return
