// RUN: hologram-opt %s -p convert-to-llvm | filecheck %s

// A failed assertion leaves the function; all assertions of a function share the way out.

// CHECK-LABEL: llvm.func internal @f(
func.func private @f(%a: i1, %b: i1) -> i32 {
  // CHECK:      llvm.cond_br %a, [[ON:\^bb[0-9]+]], [[FAIL:\^bb[0-9]+]]
  // CHECK-NEXT: [[ON]]:
  // CHECK-NEXT:   llvm.cond_br %b, [[LAST:\^bb[0-9]+]], [[FAIL]]
  // CHECK-NEXT: [[LAST]]:
  // CHECK-NEXT:   %r = llvm.mlir.constant(7 : i32) : i32
  // CHECK-NEXT:   llvm.return %r : i32
  // CHECK-NEXT: [[FAIL]]:
  // CHECK-NEXT:   [[ZERO:%[0-9]+]] = llvm.mlir.zero : i32
  // CHECK-NEXT:   llvm.return [[ZERO]] : i32
  cf.assert %a, "first"
  cf.assert %b, "second"
  %r = arith.constant 7 : i32
  func.return %r : i32
}
