// RUN: hologram-opt %s -p contract-fma | filecheck %s

// Marked products go into the marked sums and differences that use them; what lacks a mark, or is used twice, stays.

atlas.program @contract(%m: memref<?xf32>, %w: memref<?xi32>) {
  %i = atlas.special gid : i64
  %a = atlas.ldg f32 %m[%i : i64] : memref<?xf32>
  %p = atlas.mul f32 %a, %a {contract}
  %s = atlas.add f32 %a, %p {contract}
  %q = atlas.mul f32 %s, %a {contract}
  %d = atlas.sub f32 %q, %a {contract}
  %r = atlas.mul f32 %d, %a {contract}
  %e = atlas.sub f32 %a, %r {contract}
  %t = atlas.mul f32 %e, %a
  %f = atlas.add f32 %t, %a {contract}
  %u = atlas.mul f32 %f, %a {contract}
  %g = atlas.add f32 %u, %u {contract}
  %h = atlas.mad f32 %g, %g, %a {contract}
  atlas.stg f32 %h, %m[%i : i64] : memref<?xf32>
  %x = atlas.ldg i32 %w[%i : i64] : memref<?xi32>
  %y = atlas.mul i32 %x, %x {contract}
  %z = atlas.add i32 %y, %x {contract}
  atlas.stg i32 %z, %w[%i : i64] : memref<?xi32>
}

// CHECK:         %s = atlas.fma f32 %a, %a, %a
// CHECK-NEXT:    %d = atlas.fms f32 %s, %a, %a
// CHECK-NEXT:    [[N:%.*]] = atlas.neg f32 %d
// CHECK-NEXT:    [[E:%.*]] = atlas.fma f32 [[N]], %a, %a
// CHECK-NEXT:    %t = atlas.mul f32 [[E]], %a
// CHECK-NEXT:    %f = atlas.add f32 %t, %a {contract}
// CHECK-NEXT:    %u = atlas.mul f32 %f, %a {contract}
// CHECK-NEXT:    %g = atlas.add f32 %u, %u {contract}
// CHECK-NEXT:    %h = atlas.fma f32 %g, %g, %a
// CHECK:         %y = atlas.mul i32 %x, %x {contract}
// CHECK-NEXT:    %z = atlas.add i32 %y, %x {contract}
