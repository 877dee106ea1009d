// RUN: hologram-opt %s -p canonicalize --allow-unregistered-dialect | filecheck %s

// Loops of constants, and what conditions decide.

func.func @loops(%a: i32, %b: i32) -> (i32, i32, i32, i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c9 = arith.constant 9 : index
  %m1 = arith.constant -1 : i8
  %p1 = arith.constant 1 : i8
  %never = scf.for %i = %c9 to %c0 step %c1 iter_args(%x = %a) -> (i32) {
    scf.yield %b : i32
  }
  %known = scf.for %i = %c0 to %c9 step %c1 iter_args(%x = %a) -> (i32) {
    scf.yield %b : i32
  }
  %once = scf.for %i = %c0 to %c1 step %c1 iter_args(%x = %a) -> (i32) {
    %s = arith.addi %x, %b : i32
    scf.yield %s : i32
  }
  %unsigned = scf.for unsigned %i = %m1 to %p1 step %p1 iter_args(%x = %a) -> (i32) : i8 {
    scf.yield %b : i32
  }
  func.return %never, %known, %once, %unsigned : i32, i32, i32, i32
}

// CHECK-LABEL: func.func @loops(%a: i32, %b: i32)
// CHECK-NEXT:    [[S:%\w+]] = arith.addi %a, %b : i32
// CHECK-NEXT:    func.return %a, %b, [[S]], %a

func.func @alike(%n: index, %a: i32) -> (i32, i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%x = %a, %y = %a) -> (i32, i32) {
    %s = arith.muli %x, %y : i32
    scf.yield %s, %s : i32, i32
  }
  func.return %r#0, %r#1 : i32, i32
}

// CHECK-LABEL: func.func @alike
// CHECK:         [[R:%\w+]] = scf.for {{.*}} iter_args([[X:%\w+]] = %a) -> (i32) {
// CHECK-NEXT:      [[S:%\w+]] = arith.muli [[X]], [[X]] : i32
// CHECK-NEXT:      scf.yield [[S]] : i32
// CHECK:         func.return [[R]], [[R]]

// A choice between what is there before needs no branch; what nothing uses is not given; a buffer is not chosen.

func.func @choices(%p: i1, %a: i32, %b: i32, %m: memref<4xi32>, %k: memref<4xi32>) -> (i32, i32, memref<4xi32>) {
  %r:3 = scf.if %p -> (i32, i32, memref<4xi32>) {
    %u = "test.op"(%p) : (i1) -> i32
    scf.yield %a, %u, %m : i32, i32, memref<4xi32>
  } else {
    %v = "test.op"(%p) : (i1) -> i32
    scf.yield %b, %v, %k : i32, i32, memref<4xi32>
  }
  %w:2 = scf.if %p -> (i32, i32) {
    "test.effect"() : () -> ()
    %u = "test.op"() : () -> i32
    scf.yield %u, %a : i32, i32
  } else {
    %v = "test.op"() : () -> i32
    scf.yield %v, %b : i32, i32
  }
  func.return %r#0, %w#1, %r#2 : i32, i32, memref<4xi32>
}

// CHECK-LABEL: func.func @choices
// CHECK-DAG:     [[FALSE:%\w+]] = arith.constant false
// CHECK-DAG:     [[TRUE:%\w+]] = arith.constant true
// CHECK:         [[C:%\w+]] = arith.select %p, %a, %b : i32
// CHECK-NEXT:    [[M:%\w+]] = scf.if %p -> (memref<4xi32>) {
// CHECK-NEXT:      "test.op"([[TRUE]])
// CHECK-NEXT:      scf.yield %m
// CHECK-NEXT:    } else {
// CHECK-NEXT:      "test.op"([[FALSE]])
// CHECK-NEXT:      scf.yield %k
// CHECK:         [[D:%\w+]] = arith.select %p, %a, %b : i32
// CHECK-NEXT:    scf.if %p {
// CHECK:         func.return [[C]], [[D]], [[M]]

func.func @region(%a: i32) -> i32 {
  %r = scf.execute_region -> i32 {
    %s = arith.addi %a, %a : i32
    scf.yield %s : i32
  }
  func.return %r : i32
}

// CHECK-LABEL: func.func @region
// CHECK-NEXT:    [[S:%\w+]] = arith.addi %a, %a : i32
// CHECK-NEXT:    func.return [[S]]
