// RUN: hologram-opt %s | hologram-opt - | filecheck %s
// RUN: hologram-opt %s --print-op-generic | hologram-opt - | filecheck %s

// Loads and stores of each space; indices are i64 or index.

atlas.program @p(%m: memref<?x4xf32>, %o: memref<f32>, %n: index) {
  %i = atlas.special gid : i64
  %s = atlas.alloca : memref<128xf32, #atlas.space<shared>>
  %l = atlas.alloca : memref<4xf32, #atlas.space<local>>
  %v = atlas.ldg f32 %m[%i, %n : i64, index] : memref<?x4xf32>
  atlas.sts f32 %v, %s[%i : i64] : memref<128xf32, #atlas.space<shared>>
  atlas.bar.sync 0
  %w = atlas.lds f32 %s[%n : index] : memref<128xf32, #atlas.space<shared>>
  atlas.stl f32 %w, %l[%n : index] : memref<4xf32, #atlas.space<local>>
  %x = atlas.ldl f32 %l[%n : index] : memref<4xf32, #atlas.space<local>>
  %r = atlas.ldg f32 %o[] : memref<f32>
  atlas.stg f32 %x, %m[%i, %n : i64, index] : memref<?x4xf32> {note = 1 : i64}
}

// CHECK-LABEL: atlas.program @p(%m: memref<?x4xf32>, %o: memref<f32>, %n: index) {
// CHECK-NEXT:    %i = atlas.special gid : i64
// CHECK-NEXT:    %s = atlas.alloca : memref<128xf32, #atlas.space<shared>>
// CHECK-NEXT:    %l = atlas.alloca : memref<4xf32, #atlas.space<local>>
// CHECK-NEXT:    %v = atlas.ldg f32 %m[%i, %n : i64, index] : memref<?x4xf32>
// CHECK-NEXT:    atlas.sts f32 %v, %s[%i : i64] : memref<128xf32, #atlas.space<shared>>
// CHECK-NEXT:    atlas.bar.sync 0
// CHECK-NEXT:    %w = atlas.lds f32 %s[%n : index] : memref<128xf32, #atlas.space<shared>>
// CHECK-NEXT:    atlas.stl f32 %w, %l[%n : index] : memref<4xf32, #atlas.space<local>>
// CHECK-NEXT:    %x = atlas.ldl f32 %l[%n : index] : memref<4xf32, #atlas.space<local>>
// CHECK-NEXT:    %r = atlas.ldg f32 %o[] : memref<f32>
// CHECK-NEXT:    atlas.stg f32 %x, %m[%i, %n : i64, index] : memref<?x4xf32> {note = 1 : i64}
// CHECK-NEXT:    atlas.exit
// CHECK-NEXT:  }
