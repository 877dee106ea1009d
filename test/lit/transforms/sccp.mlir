// RUN: hologram-opt %s -p sccp,canonicalize | filecheck %s

// A value that is the same constant on every path that is taken, around loops too; the branch not taken is dropped.

func.func @around_a_loop(%p: i1) -> i32 {
  %c1 = arith.constant 1 : i32
  cf.br ^loop(%c1 : i32)
^loop(%k: i32):
  %same = arith.muli %k, %c1 : i32
  %one = arith.cmpi eq, %same, %c1 : i32
  cf.cond_br %one, ^again, ^never
^never:
  %c7 = arith.constant 7 : i32
  cf.br ^loop(%c7 : i32)
^again:
  cf.cond_br %p, ^loop(%same : i32), ^end
^end:
  func.return %k : i32
}

// CHECK-LABEL: func.func @around_a_loop
// CHECK-NOT:     constant 7
// CHECK-NOT:     cmpi
// CHECK:         %c1 = arith.constant 1 : i32
// CHECK:       ^loop(%k: i32):
// CHECK:         func.return %c1 : i32

func.func @structured(%n: index, %x: i32) -> (i32, i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %k0 = arith.constant 5 : i32
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%k = %k0, %v = %x) -> (i32, i32) {
    %five = arith.cmpi eq, %k, %k0 : i32
    %next = scf.if %five -> (i32) {
      scf.yield %k : i32
    } else {
      scf.yield %v : i32
    }
    scf.yield %next, %v : i32, i32
  }
  func.return %r#0, %r#1 : i32, i32
}

// CHECK-LABEL: func.func @structured
// CHECK:         %k0 = arith.constant 5 : i32
// CHECK-NEXT:    func.return %k0, %x : i32, i32

atlas.program @lanes(%m: memref<?xi32>, %n: i32) {
  %g = atlas.special gid : i64
  %two = atlas.mov_imm 2 : i32
  %s = atlas.loop %n : i32 iter(%two : i32) {
  ^bb0(%i: i32, %acc: i32):
    %p = atlas.setcc gt i32 %acc, %two
    %t = atlas.if %p -> (i32) {
      atlas.yield %i : i32
    } else {
      atlas.yield %acc : i32
    }
    atlas.yield %t : i32
  }
  atlas.stg i32 %s, %m[%g : i64] : memref<?xi32>
}

// CHECK-LABEL: atlas.program @lanes
// CHECK:         [[S:%.*]] = atlas.mov_imm 2 : i32
// CHECK:         atlas.stg i32 [[S]], %m

atlas.program @branches(%m: memref<?xi32>, %p: i1) {
  %g = atlas.special gid : i64
  %one = atlas.mov_imm 1 : i32
  %nine = atlas.mov_imm 9 : i32
  atlas.bra ^loop(%one : i32)
^loop(%k: i32):
  %same = atlas.mul i32 %k, %k
  %odd = atlas.setcc eq i32 %same, %one
  atlas.bra %odd, ^again, ^never
^never:
  atlas.bra ^loop(%nine : i32)
^again:
  atlas.bra %p, ^loop(%same : i32), ^end
^end:
  atlas.stg i32 %k, %m[%g : i64] : memref<?xi32>
}

// CHECK-LABEL: atlas.program @branches
// CHECK-NOT:     mov_imm 9
// CHECK-NOT:     ^never
// CHECK:         %k_1 = atlas.mov_imm 1 : i32
// CHECK:         atlas.stg i32 %k_1, %m

atlas.program @repeats(%m: memref<?xi32>, %p: i1) {
  %g = atlas.special gid : i64
  %one = atlas.mov_imm 1 : i32
  %r = atlas.repeat iter(%one : i32) -> (i32) {
  ^bb0(%k: i32):
    %same = atlas.mul i32 %k, %k
    atlas.yield %p, %same, %k : i1, i32, i32
  }
  atlas.stg i32 %r, %m[%g : i64] : memref<?xi32>
}

// CHECK-LABEL: atlas.program @repeats
// CHECK:         %r = atlas.mov_imm 1 : i32
// CHECK:         atlas.stg i32 %r, %m
