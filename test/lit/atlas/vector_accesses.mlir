// RUN: hologram-opt %s | hologram-opt - | filecheck %s
// RUN: hologram-opt %s --print-op-generic | hologram-opt - | filecheck %s
// RUN: hologram-opt %s -p convert-atlas-to-core | filecheck %s --check-prefix=CORE

// Two and four values, one after another.

func.func @main(%x: memref<16xf32>) {
  %c1 = arith.constant 1 : index
  atlas.launch @p grid(%c1, %c1, %c1) args(%x : memref<16xf32>)
  func.return
}
atlas.program @p(%x: memref<16xf32>) block [4, 1, 1] {
  %lane = atlas.special lane.x : i32
  %four = atlas.mov_imm 4 : i32
  %o32 = atlas.mul u32 %lane, %four
  %i = atlas.cvt u32 to u64 %o32
  %a, %b, %c, %d = atlas.ldg v4 f32 %x[%i : i64] : memref<16xf32>
  atlas.stg v2 f32 %d, %c, %x[%i : i64] : memref<16xf32>
}

// CHECK:         %a, %b, %c, %d = atlas.ldg v4 f32 %x[%i : i64] : memref<16xf32>
// CHECK-NEXT:    atlas.stg v2 f32 %d, %c, %x[%i : i64] : memref<16xf32>

// The lanes' ranges and multiples prove all of it.
// CORE-NOT:    cf.assert
// CORE-COUNT-4: memref.load
// CORE-COUNT-2: memref.store
// CORE-NOT:    cf.assert
