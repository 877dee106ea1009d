// RUN: hologram-opt %s -p convert-scf-to-cf | filecheck %s

// A conditional becomes two blocks that join; a loop a header that tests, a body and what follows.

// CHECK-LABEL: func.func @sum(
func.func @sum(%n: index, %c: i1) -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  // CHECK:      cf.br [[HEADER:\^bb[0-9]+]](%c0, %zero : index, i32)
  // CHECK-NEXT: [[HEADER]](%i: index, %x: i32):
  // CHECK-NEXT:   [[MORE:%[0-9]+]] = arith.cmpi slt, %i, %n : index
  // CHECK-NEXT:   cf.cond_br [[MORE]], [[BODY:\^bb[0-9]+]], [[END:\^bb[0-9]+]]
  // CHECK-NEXT: [[BODY]]:
  // CHECK-NEXT:   cf.cond_br %c, [[THEN:\^bb[0-9]+]], [[ELSE:\^bb[0-9]+]]
  // CHECK-NEXT: [[THEN]]:
  // CHECK-NEXT:   %a = arith.addi %x, %one : i32
  // CHECK-NEXT:   cf.br [[JOIN:\^bb[0-9]+]](%a : i32)
  // CHECK-NEXT: [[ELSE]]:
  // CHECK-NEXT:   cf.br [[JOIN]](%x : i32)
  // CHECK-NEXT: [[JOIN]](%y: i32):
  // CHECK-NEXT:   [[NEXT:%[0-9]+]] = arith.addi %i, %c1 overflow<nsw> : index
  // CHECK-NEXT:   cf.br [[HEADER]]([[NEXT]], %y : index, i32)
  // CHECK-NEXT: [[END]]:
  // CHECK-NEXT:   func.return %x : i32
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%x = %zero) -> (i32) {
    %y = scf.if %c -> (i32) {
      %a = arith.addi %x, %one : i32
      scf.yield %a : i32
    } else {
      scf.yield %x : i32
    }
    scf.yield %y : i32
  }
  func.return %r : i32
}

// What LLVM shall know of a loop goes to the branch back.
// CHECK-LABEL: func.func @annotated
func.func @annotated(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // CHECK: cf.br {{.*}} {llvm.loop_annotation = #llvm.loop_annotation<unroll = #llvm.loop_unroll<disable = true>>}
  scf.for %i = %c0 to %n step %c1 {
  } {llvm.loop_annotation = #llvm.loop_annotation<unroll = <disable = true>>}
  func.return
}
