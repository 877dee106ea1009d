// RUN: hologram-opt %s -p canonicalize | filecheck %s

// Identities of the scalar instructions that hold to the bit: constants go right and join, double negations vanish,
// a division by a power of two is a product. x + 0 stays for floats, since -0 + 0 is 0.

atlas.program @identities(%m: memref<?xi32>, %v: memref<?xf32>) {
  %i = atlas.special gid : i64
  %x = atlas.ldg i32 %m[%i : i64] : memref<?xi32>
  %c3 = atlas.mov_imm 3 : i32
  %c4 = atlas.mov_imm 4 : i32
  %a = atlas.add i32 %c3, %x
  %b = atlas.add i32 %a, %c4
  %n = atlas.neg i32 %b
  %nn = atlas.neg i32 %n
  atlas.stg i32 %nn, %m[%i : i64] : memref<?xi32>
  %f = atlas.ldg f32 %v[%i : i64] : memref<?xf32>
  %zero = atlas.mov_imm 0.0 : f32
  %s = atlas.add f32 %f, %zero
  %eight = atlas.mov_imm 8.0 : f32
  %q = atlas.div f32 %s, %eight
  atlas.stg f32 %q, %v[%i : i64] : memref<?xf32>
}

// CHECK:         [[X:%.*]] = atlas.ldg i32
// CHECK-NEXT:    [[C:%.*]] = atlas.mov_imm 7 : i32
// CHECK-NEXT:    [[B:%.*]] = atlas.add i32 [[X]], [[C]]
// CHECK-NEXT:    atlas.stg i32 [[B]],
// CHECK-NEXT:    [[F:%.*]] = atlas.ldg f32
// CHECK-NEXT:    [[ZERO:%.*]] = atlas.mov_imm 0.000000e+00 : f32
// CHECK-NEXT:    [[S:%.*]] = atlas.add f32 [[F]], [[ZERO]]
// CHECK-NEXT:    [[E:%.*]] = atlas.mov_imm 1.250000e-01 : f32
// CHECK-NEXT:    [[Q:%.*]] = atlas.mul f32 [[S]], [[E]]
