// RUN: hologram-opt %s | hologram-opt | filecheck %s
// RUN: hologram-opt %s --print-op-generic | hologram-opt | filecheck %s
// RUN: hologram-opt %s -p convert-atlas-to-core | filecheck %s --check-prefix=CORE

// CHECK: atlas.pool @ring : memref<64xf32, #atlas.space<pool>>
atlas.pool @ring : memref<64xf32, #atlas.space<pool>>

// Each launch makes the pools of its program.
// CORE: func.func @main(%x: memref<?xf32>
// CORE: %[[POOL:.*]] = memref.alloc() {hologram.of = "atlas.pool @ring"} : memref<64xf32>
// CORE: gpu.launch_func @programs::@p {{.*}} args(%[[POOL]] : {{.*}}, %x : {{.*}}, %trap : {{.*}})
// CORE-NEXT: memref.dealloc %[[POOL]] : memref<64xf32>
func.func @main(%x: memref<?xf32>) {
  %one = arith.constant 1 : index
  atlas.launch @p grid(%one, %one, %one) args(%x : memref<?xf32>)
  func.return
}

// CORE: gpu.func @p(%ring: memref<64xf32>{{.*}}, %x: memref<?xf32>
atlas.program @p(%x: memref<?xf32>) block [4, 1, 1] {
  %i = atlas.special gid : i64
  // CHECK: %p = atlas.pool.alloc @ring : memref<64xf32, #atlas.space<pool>>
  %p = atlas.pool.alloc @ring : memref<64xf32, #atlas.space<pool>>
  %v = atlas.ldg f32 %x[%i : i64] : memref<?xf32>
  // CHECK: atlas.pool.store f32 %v, %p[%i : i64] : memref<64xf32, #atlas.space<pool>>
  // CORE: memref.store %v, %ring
  atlas.pool.store f32 %v, %p[%i : i64] : memref<64xf32, #atlas.space<pool>>
  // CHECK: atlas.pool.free @ring
  atlas.pool.free @ring
}
