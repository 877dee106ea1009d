// RUN: hologram-opt %s -p canonicalize | filecheck %s

// Instructions with the same bits everywhere fold; one that would trap, and inexact ones, do not.

atlas.program @p(%m: memref<?xi64>, %n: i32) {
  %i = atlas.special gid : i64
  %a = atlas.mov_imm -7 : i64
  %b = atlas.mov_imm 2 : i64
  %z = atlas.mov_imm 0 : i64
  %x = atlas.mov_imm 2.000000e+00 : f64
  %q = atlas.div i64 %a, %b
  atlas.stg i64 %q, %m[%i : i64] : memref<?xi64>
  %u = atlas.shr u64 %a, %n
  atlas.stg i64 %u, %m[%i : i64] : memref<?xi64>
  %p = atlas.setcc ltu i64 %b, %a
  %s = atlas.sel i64 %p, %a, %b
  atlas.stg i64 %s, %m[%i : i64] : memref<?xi64>
  %t = atlas.div i64 %a, %z
  %e = atlas.exp f64 %x
  %c = atlas.cvt f64 to i64 %e
  atlas.stg i64 %c, %m[%i : i64] : memref<?xi64>
}

// CHECK-LABEL: atlas.program @p(%m: memref<?xi64>, %n: i32) {
// CHECK-NEXT:    %i = atlas.special gid : i64
// CHECK-NEXT:    %a = atlas.mov_imm -7 : i64
// CHECK-NEXT:    %z = atlas.mov_imm 0 : i64
// CHECK-NEXT:    %x = atlas.mov_imm 2.000000e+00 : f64
// CHECK-NEXT:    %q = atlas.mov_imm -3 : i64
// CHECK-NEXT:    atlas.stg i64 %q, %m[%i : i64] : memref<?xi64>
// CHECK-NEXT:    %u = atlas.shr u64 %a, %n
// CHECK-NEXT:    atlas.stg i64 %u, %m[%i : i64] : memref<?xi64>
// CHECK-NEXT:    %s = atlas.mov_imm -7 : i64
// CHECK-NEXT:    atlas.stg i64 %s, %m[%i : i64] : memref<?xi64>
// CHECK-NEXT:    %t = atlas.div i64 %a, %z
// CHECK-NEXT:    %e = atlas.exp f64 %x
// CHECK-NEXT:    %c = atlas.cvt f64 to i64 %e
// CHECK-NEXT:    atlas.stg i64 %c, %m[%i : i64] : memref<?xi64>
// CHECK-NEXT:    atlas.exit
// CHECK-NEXT:  }
