// RUN: hologram-opt %s -p mem2reg | filecheck %s

// Elements of local arrays become values, which loops and conditions carry; an element that may be read before it is
// written stays, and so does an array whose index is not constant.

atlas.program @sum(%m: memref<?xf32>, %n: i32, %x: f32) {
  %g = atlas.special gid : i64
  %c0 = atlas.mov_imm 0 : i64
  %c1 = atlas.mov_imm 1 : i64
  %zero = atlas.mov_imm 0.0 : f32
  %a = atlas.alloca : memref<2xf32, #atlas.space<local>>
  atlas.stl f32 %zero, %a[%c0 : i64] : memref<2xf32, #atlas.space<local>>
  atlas.stl f32 %x, %a[%c1 : i64] : memref<2xf32, #atlas.space<local>>
  atlas.loop %n : i32 {
  ^bb0(%i: i32):
    %v = atlas.ldl f32 %a[%c0 : i64] : memref<2xf32, #atlas.space<local>>
    %p = atlas.setcc lt f32 %v, %x
    atlas.if %p {
      %k = atlas.ldl f32 %a[%c1 : i64] : memref<2xf32, #atlas.space<local>>
      %w = atlas.add f32 %v, %k
      atlas.stl f32 %w, %a[%c0 : i64] : memref<2xf32, #atlas.space<local>>
    }
    atlas.yield
  }
  %s = atlas.ldl f32 %a[%c0 : i64] : memref<2xf32, #atlas.space<local>>
  atlas.stg f32 %s, %m[%g : i64] : memref<?xf32>
}

// CHECK-LABEL: atlas.program @sum
// CHECK-NOT:     alloca
// CHECK:         [[S:%.*]] = atlas.loop %n : i32 iter(%zero : f32) {
// CHECK-NEXT:    ^{{.*}}(%i: i32, [[V:%.*]]: f32):
// CHECK-NEXT:      %p = atlas.setcc lt f32 [[V]], %x
// CHECK-NEXT:      [[T:%.*]] = atlas.if %p -> (f32) {
// CHECK-NEXT:        %w = atlas.add f32 [[V]], %x
// CHECK-NEXT:        atlas.yield %w : f32
// CHECK-NEXT:      } else {
// CHECK-NEXT:        atlas.yield [[V]] : f32
// CHECK-NEXT:      }
// CHECK-NEXT:      atlas.yield [[T]] : f32
// CHECK-NEXT:    }
// CHECK-NEXT:    atlas.stg f32 [[S]], %m

atlas.program @early(%m: memref<?xf32>, %n: i32, %j: i64) {
  %g = atlas.special gid : i64
  %c0 = atlas.mov_imm 0 : i64
  %zero = atlas.mov_imm 0.0 : f32
  %a = atlas.alloca : memref<f32, #atlas.space<local>>
  %b = atlas.alloca : memref<4xf32, #atlas.space<local>>
  atlas.loop %n : i32 {
  ^bb0(%i: i32):
    atlas.stl f32 %zero, %a[] : memref<f32, #atlas.space<local>>
    atlas.stl f32 %zero, %b[%j : i64] : memref<4xf32, #atlas.space<local>>
    atlas.yield
  }
  %s = atlas.ldl f32 %a[] : memref<f32, #atlas.space<local>>
  atlas.stg f32 %s, %m[%g : i64] : memref<?xf32>
}

// CHECK-LABEL: atlas.program @early
// CHECK:         %a = atlas.alloca
// CHECK:         %b = atlas.alloca
// CHECK:         atlas.stl f32 %zero, %a[]
// CHECK:         atlas.stl f32 %zero, %b[%j : i64]
// CHECK:         %s = atlas.ldl f32 %a[]

func.func @ends(%p: i1, %x: f32, %n: index) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloca() : memref<f32>
  scf.if %p {
    memref.store %x, %a[] : memref<f32>
  } else {
    %y = arith.addf %x, %x : f32
    memref.store %y, %a[] : memref<f32>
  }
  scf.for %i = %c0 to %n step %c1 {
    %v = memref.load %a[] : memref<f32>
    %w = arith.mulf %v, %x : f32
    memref.store %w, %a[] : memref<f32>
  }
  %r = memref.load %a[] : memref<f32>
  func.return %r : f32
}

// CHECK-LABEL: func.func @ends
// CHECK-NOT:     alloca
// CHECK:         [[A:%.*]] = scf.if %p -> (f32) {
// CHECK-NEXT:      scf.yield %x : f32
// CHECK:           scf.yield %y : f32
// CHECK:         [[R:%.*]] = scf.for %i = %c0 to %n step %c1 iter_args([[V:%.*]] = [[A]]) -> (f32) {
// CHECK-NEXT:      %w = arith.mulf [[V]], %x : f32
// CHECK-NEXT:      scf.yield %w : f32
// CHECK:         func.return [[R]] : f32

// What is accessed as a vector stays in memory.

atlas.program @vectors(%x: memref<?xf32>) block [4, 1, 1] {
  %zero = atlas.mov_imm 0 : i64
  %one = atlas.mov_imm 1 : i64
  %a = atlas.alloca : memref<2xf32, #atlas.space<local>>
  %v, %w = atlas.ldg v2 f32 %x[%zero : i64] : memref<?xf32>
  atlas.stl v2 f32 %w, %v, %a[%zero : i64] : memref<2xf32, #atlas.space<local>>
  %r = atlas.ldl f32 %a[%one : i64] : memref<2xf32, #atlas.space<local>>
  atlas.stg f32 %r, %x[%zero : i64] : memref<?xf32>
}

// CHECK-LABEL: atlas.program @vectors
// CHECK:         atlas.stl v2 f32 %w, %v, %a
// CHECK-NEXT:    %r = atlas.ldl f32 %a
