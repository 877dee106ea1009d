// RUN: hologram-opt %s -p assign-registers -t atlas-asm | filecheck %s

// Two values that change places in a loop need a third register, of the work area.

// CHECK:      .program swap(buf0: i32[?], [[N:r[0-9]+]]: i32) {
// CHECK-NEXT:   .launch block(8, 1, 1)
// CHECK-NEXT:   mov.u64 [[I:r[0-9]+]], %gid
// CHECK:        mul.u64 r0, r0, r1
// CHECK-NEXT:   ldg.i32 [[V:r[0-9]+]], [buf0 + r0]
// CHECK:        setlt.u32 [[P:p[0-9]+]],
// CHECK-NEXT:   @[[P]] bra
// CHECK:        mov.i32 r0, [[A:r[0-9]+]]
// CHECK-NEXT:   mov.i32 [[A]], [[B:r[0-9]+]]
// CHECK-NEXT:   mov.i32 [[B]], r0
// CHECK:      .program rows(buf0: i32[?, ?], [[J:r[0-9]+]]: i64, [[ROWS:r[0-9]+]]: i64, [[COLUMNS:r[0-9]+]]: i64) {
// CHECK:        setlt.u64 {{p[0-9]+}}, [[J]], [[ROWS]]
// CHECK:        setlt.u64 {{p[0-9]+}}, [[J]], [[COLUMNS]]
// CHECK:        ldg.i32 {{r[0-9]+}}, [buf0 + {{r[0-9]+}}]
// CHECK:        assert [[P:p[0-9]+]], "a \"reason\""
atlas.program @swap(%x: memref<?xi32>, %n: i32) block [8, 1, 1] {
  %i = atlas.special gid : i64
  %v = atlas.ldg i32 %x[%i : i64] : memref<?xi32>
  %r, %s = atlas.loop %n : i32 iter(%v, %n : i32, i32) {
  ^bb0(%j: i32, %a: i32, %b: i32):
    atlas.yield %b, %a : i32, i32
  }
  atlas.stg i32 %r, %x[%i : i64] : memref<?xi32>
}

// Sizes that only the launch knows, and index, are parameters.
atlas.program @rows(%x: memref<?x?xi32>, %j: index) {
  %v = atlas.ldg i32 %x[%j, %j : index, index] : memref<?x?xi32>
  %p = atlas.setcc eq i32 %v, %v
  atlas.assert %p, "a \22reason\22"
}
