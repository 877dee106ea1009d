// RUN: hologram-opt %s -p convert-atlas-to-core | filecheck %s

// Lanes may exit in a loop with a barrier: those that are left say by shared memory whether it goes on.

// CHECK:       gpu.func @p(%x: memref<8xi32>, %trap: memref<8xi64> {hologram.trap}) workgroup([[VOTES:%.*]] : memref<2xi32, #gpu.address_space<workgroup>>)
// CHECK:       [[ALIVE:%.*]] = scf.while
// CHECK:         gpu.barrier
// CHECK:         gpu.barrier
// CHECK-NEXT:    memref.store {{.*}}, [[VOTES]]
// CHECK-NEXT:    memref.store {{.*}}, [[VOTES]]
// CHECK-NEXT:    gpu.barrier
// CHECK-NEXT:    scf.if
// CHECK-NEXT:      arith.select
// CHECK-NEXT:      memref.store {{.*}}, [[VOTES]]
// CHECK-NEXT:    }
// CHECK-NEXT:    gpu.barrier
// CHECK-NEXT:    memref.load [[VOTES]]
// CHECK:         cf.assert {{.*}}, "atlas.repeat: lanes of a block leave a loop with a barrier that others stay in"
// CHECK:         scf.condition
atlas.program @p(%x: memref<8xi32>) block [8, 1, 1] {
  %l = atlas.special lane.x : i32
  %at = atlas.cvt u32 to u64 %l
  atlas.repeat {
    %v = atlas.ldg u32 %x[%at : i64] : memref<8xi32>
    %p = atlas.setcc eq u32 %v, %l
    atlas.if %p {
      atlas.exit
    }
    atlas.bar.sync 0
    %q = atlas.setcc ne u32 %v, %v
    atlas.yield %q : i1
  }
}
