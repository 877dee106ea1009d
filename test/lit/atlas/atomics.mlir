// RUN: hologram-opt %s | hologram-opt - | filecheck %s
// RUN: hologram-opt %s --print-op-generic | hologram-opt - | filecheck %s
// RUN: hologram-opt %s -p convert-atlas-to-core | filecheck %s --check-prefix=CORE
// RUN: hologram-opt %s -p "hologram-to-cpu{to=threads}" | filecheck %s --check-prefix=THREADS

// Atomics by index and by address, and fences. Blocks that only count may run on several threads.

func.func @main(%x: memref<4xi32>, %b: memref<?xi8>, %g: index) {
  %c1 = arith.constant 1 : index
  atlas.launch @p grid(%g, %c1, %c1) args(%x, %b : memref<4xi32>, memref<?xi8>)
  func.return
}
atlas.program @p(%x: memref<4xi32>, %b: memref<?xi8>) block [4, 1, 1] {
  %lane = atlas.special lane.x : i32
  %i = atlas.cvt u32 to u64 %lane
  %one = atlas.mov_imm 1 : i32
  %n = atlas.atom.add u32 %one, %x[%i : i64] : memref<4xi32>
  %p = atlas.lea u32 %b[] : memref<?xi8>
  %m = atlas.atom.max u32 %lane, %p[] : !atlas.ptr<i32, global>
  atlas.memfence device
}

// CHECK:         %n = atlas.atom.add u32 %one, %x[%i : i64] : memref<4xi32>
// CHECK-NEXT:    %p = atlas.lea u32 %b[] : memref<?xi8>
// CHECK-NEXT:    %m = atlas.atom.max u32 %lane, %p[] : !atlas.ptr<i32, global>
// CHECK-NEXT:    atlas.memfence device

// CORE:        %n = memref.atomic_rmw addi %one, %x[%{{.*}}] : (i32, memref<4xi32>) -> i32
// CORE:        cf.assert %{{.*}}, "atlas.atom.max u32: misaligned address"
// CORE:        %m = llvm.atomicrmw umax %{{.*}}, %lane monotonic : !llvm.ptr, i32
// CORE:        llvm.fence syncscope("device") acq_rel

// THREADS:     hologram.parallel
