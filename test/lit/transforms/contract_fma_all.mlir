// RUN: hologram-opt %s -p contract-fma{all=true} | filecheck %s

// Asked for, marks are not needed.

atlas.program @all(%m: memref<?xf32>) {
  %i = atlas.special gid : i64
  %a = atlas.ldg f32 %m[%i : i64] : memref<?xf32>
  %p = atlas.mul f32 %a, %a
  %s = atlas.add f32 %p, %a
  atlas.stg f32 %s, %m[%i : i64] : memref<?xf32>
}

// CHECK:         %s = atlas.fma f32 %a, %a, %a
// CHECK-NEXT:    atlas.stg
