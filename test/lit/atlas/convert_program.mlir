// RUN: hologram-opt %s -p convert-atlas-to-core | filecheck %s

// A lane program is a kernel. Shared arrays are its attributions; lane.x below a static size needs no guard.

atlas.program @p(%x: memref<?xf32>) block [32, 1, 1] {
  %s = atlas.alloca : memref<32xf32, #atlas.space<shared>>
  %i = atlas.special lane.x : i32
  %lane = atlas.cvt u32 to u64 %i
  %v = atlas.ldg f32 %x[%lane : i64] : memref<?xf32>
  atlas.sts f32 %v, %s[%lane : i64] : memref<32xf32, #atlas.space<shared>>
  atlas.bar.sync 0
}

func.func @main(%x: memref<?xf32>) {
  %c1 = arith.constant 1 : index
  atlas.launch @p grid(%c1, %c1, %c1) args(%x : memref<?xf32>)
  func.return
}

// CHECK:       builtin.module attributes {gpu.container_module} {
// CHECK:       func.func @main(%x: memref<?xf32>, %trap: memref<8xi64> {hologram.trap})
// CHECK:         gpu.launch_func @programs::@p {{.*}} args(%x : memref<?xf32>, %trap : memref<8xi64>)
// CHECK:       gpu.module @programs
// CHECK-NEXT:    gpu.func @p(%x: memref<?xf32>, %trap: memref<8xi64> {hologram.trap}) workgroup(%s : memref<32xf32, #gpu.address_space<workgroup>>) kernel
// CHECK:         %[[ID:.*]] = gpu.thread_id x
// CHECK:         %[[BAD:.*]] = arith.cmpi uge, %{{.*}}, %{{.*}} : index
// CHECK:         cf.assert %{{.*}}, "atlas.ldg f32: index out of range"
// CHECK:         memref.load %x
// CHECK-NOT:     cf.assert
// CHECK:         memref.store %{{.*}}, %s
// CHECK-NEXT:    gpu.barrier
// CHECK-NEXT:    gpu.return
