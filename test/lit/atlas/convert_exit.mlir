// RUN: hologram-opt %s -p 'convert-atlas-to-core{bounds=trust}' | filecheck %s

// What follows an exit runs in the lanes that are left; a barrier is reached by all.

atlas.program @p(%x: memref<8xi32>, %p: i1) block [8, 1, 1] {
  %i = atlas.mov_imm 0 : i64
  %v = atlas.mov_imm 1 : i32
  atlas.if %p {
    atlas.exit
  }
  atlas.stg i32 %v, %x[%i : i64] : memref<8xi32>
  atlas.bar.sync 0
  atlas.stg i32 %v, %x[%i : i64] : memref<8xi32>
}

// CHECK:       %[[ALIVE:.*]] = scf.if %p -> (i1) {
// CHECK:         %[[NO:.*]] = arith.constant false
// CHECK-NEXT:    scf.yield %[[NO]] : i1
// CHECK:       } else {
// CHECK:         %[[YES:.*]] = arith.constant true
// CHECK-NEXT:    scf.yield %[[YES]] : i1
// CHECK:       %[[STILL:.*]] = scf.if %[[ALIVE]] -> (i1) {
// CHECK:         memref.store
// CHECK:       gpu.barrier
// CHECK-NEXT:  scf.if %[[STILL]]
// CHECK:         memref.store
// CHECK:       gpu.return
