// RUN: hologram-opt %s -p raise-accesses,canonicalize | filecheck %s

// A byte offset that counts elements is an index, if it can't wrap; vector forms too.

// CHECK-LABEL: atlas.program @p
// CHECK:         %[[I:.*]] = atlas.special gid : i64
// CHECK:         %[[V:.*]] = atlas.ldg f32 %x[%[[I]] : i64] : memref<?xf32>
// CHECK:         atlas.stg v2 f32 %[[V]], %[[V]], %x[%n : i64] : memref<?xf32>
// CHECK:         atlas.stg f32 %{{.*}}, %{{.*}}[] : !atlas.ptr<f32, global>
// CHECK:         atlas.stg i32 %{{.*}}, %{{.*}}[] : !atlas.ptr<i32, global>
atlas.program @p(%x: memref<?xf32>, %n: i64) {
  %i = atlas.special gid : i64
  %four = atlas.mov_imm 4 : i64
  %two = atlas.mov_imm 2 : i32
  %o = atlas.shl u64 %i, %two
  %p = atlas.lea f32 %x[%o : i64] : memref<?xf32>
  %v = atlas.ldg f32 %p[] : !atlas.ptr<f32, global>
  %far = atlas.mov_imm 2305843009213693952 : i64
  %m = atlas.min u64 %n, %far
  %q = atlas.mul u64 %m, %four
  %r = atlas.lea f32 %x[%q : i64] : memref<?xf32>
  atlas.stg v2 f32 %v, %v, %r[] : !atlas.ptr<f32, global>
  // This product may wrap to the start of the array.
  %w = atlas.mul u64 %n, %four
  %s = atlas.lea f32 %x[%w : i64] : memref<?xf32>
  atlas.stg f32 %v, %s[] : !atlas.ptr<f32, global>
  // Another type than the array's.
  %t = atlas.lea i32 %x[%q : i64] : memref<?xf32>
  atlas.stg i32 %two, %t[] : !atlas.ptr<i32, global>
}
