// RUN: hologram-opt %s -p loop-invariant-code-motion | filecheck %s

// What does not change goes in front of the loops, through all of them; a division that may trap and a load stay.

func.func @loops(%n: index, %x: f32, %m: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %y = arith.mulf %x, %x : f32
    scf.for %j = %c0 to %n step %c1 {
      %z = arith.addf %y, %x : f32
      %s = arith.addi %i, %c1 : index
      %v = memref.load %m[%s] : memref<?xf32>
      %w = arith.addf %v, %z : f32
      memref.store %w, %m[%j] : memref<?xf32>
    }
  }
  func.return
}

// CHECK:         %y = arith.mulf %x, %x : f32
// CHECK-NEXT:    %z = arith.addf %y, %x : f32
// CHECK-NEXT:    scf.for %i
// CHECK-NEXT:      %s = arith.addi %i, %c1 : index
// CHECK-NEXT:      scf.for %j
// CHECK-NEXT:        %v = memref.load %m[%s] : memref<?xf32>
// CHECK-NEXT:        %w = arith.addf %v, %z : f32

atlas.program @lanes(%m: memref<?xi32>, %n: i32, %d: i32) {
  %g = atlas.special gid : i64
  %zero = atlas.mov_imm 0 : i32
  %s = atlas.loop %n : i32 iter(%zero : i32) {
  ^bb0(%i: i32, %acc: i32):
    %q = atlas.div i32 %n, %d
    %p = atlas.mul i32 %n, %d
    %a = atlas.add i32 %acc, %q
    %b = atlas.add i32 %a, %p
    atlas.yield %b : i32
  }
  atlas.stg i32 %s, %m[%g : i64] : memref<?xi32>
}

// CHECK:         %p = atlas.mul i32 %n, %d
// CHECK-NEXT:    %s = atlas.loop
// CHECK-NEXT:    ^{{.*}}(%i: i32, %acc: i32):
// CHECK-NEXT:      %q = atlas.div i32 %n, %d
// CHECK-NEXT:      %a = atlas.add i32 %acc, %q
// CHECK-NEXT:      %b = atlas.add i32 %a, %p
