// RUN: hologram-opt %s -p raise-loops | filecheck %s

// A counter that goes down behind a guard, and one that goes up and is tested first; what else may loop stays.

// CHECK-LABEL: atlas.program @down
// CHECK-NOT:     atlas.if
// CHECK:         %[[R:.*]] = atlas.loop %n : i32 iter(%x : f32) {
// CHECK-NEXT:    ^{{.*}}(%[[I:.*]]: i32, %[[V:.*]]: f32):
// CHECK-NEXT:      %[[C:.*]] = atlas.sub u32 %n, %[[I]]
// CHECK-NEXT:      %[[F:.*]] = atlas.cvt u32 to f32 %[[C]]
// CHECK-NEXT:      %[[W:.*]] = atlas.mul f32 %[[V]], %[[F]]
// CHECK-NEXT:      atlas.yield %[[W]] : f32
// CHECK:         atlas.stg f32 %[[R]]
atlas.program @down(%m: memref<1xf32>, %n: i32, %x: f32) {
  %zero = atlas.mov_imm 0 : i32
  %one = atlas.mov_imm 1 : i32
  %some = atlas.cvt u32 to bool %n
  %r = atlas.if %some -> (f32) {
    %s = atlas.repeat iter(%n, %x : i32, f32) -> (f32) {
    ^bb0(%c: i32, %v: f32):
      %f = atlas.cvt u32 to f32 %c
      %w = atlas.mul f32 %v, %f
      %less = atlas.sub u32 %c, %one
      %more = atlas.setcc ne u32 %less, %zero
      atlas.yield %more, %less, %w, %w : i1, i32, f32, f32
    }
    atlas.yield %s : f32
  } else {
    atlas.yield %x : f32
  }
  %o = atlas.mov_imm 0 : i64
  atlas.stg f32 %r, %m[%o : i64] : memref<1xf32>
}

// CHECK-LABEL: atlas.program @up
// CHECK:         %[[MAX:.*]] = atlas.max i32 %n,
// CHECK:         %[[S:.*]] = atlas.loop %[[MAX]] : i32 iter(%n : i32) {
// CHECK:         atlas.stg i32 %[[S]]
// CHECK:         atlas.repeat
atlas.program @up(%m: memref<1xi32>, %n: i32) {
  %zero = atlas.mov_imm 0 : i32
  %one = atlas.mov_imm 1 : i32
  %r = atlas.repeat iter(%zero, %n : i32, i32) -> (i32) {
  ^bb0(%i: i32, %v: i32):
    %more = atlas.setcc lt i32 %i, %n
    %j, %w = atlas.if %more -> (i32, i32) {
      %a = atlas.mul i32 %v, %i
      %b = atlas.add i32 %i, %one
      atlas.yield %b, %a : i32, i32
    } else {
      atlas.yield %i, %v : i32, i32
    }
    atlas.yield %more, %j, %w, %w : i1, i32, i32, i32
  }
  %o = atlas.mov_imm 0 : i64
  atlas.stg i32 %r, %m[%o : i64] : memref<1xi32>
  // Without a guard it may go round 2^32 times.
  %last = atlas.repeat iter(%n : i32) -> (i32) {
  ^bb0(%c: i32):
    %less = atlas.sub u32 %c, %one
    %on = atlas.setcc ne u32 %less, %zero
    atlas.yield %on, %less, %less : i1, i32, i32
  }
}
