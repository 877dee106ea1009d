// RUN: hologram-opt %s -p canonicalize,cse --mlir-print-ir-after-change 2>&1 | filecheck %s
// RUN: hologram-opt %s --pass-pipeline='builtin.module(func.func(canonicalize))' --mlir-print-ir-before-all 2>&1 | filecheck %s --check-prefix=NESTED

// CHECK: // -----// IR Dump After CanonicalizePass (canonicalize) //----- //
// CHECK-NOT: IR Dump

// NESTED: // -----// IR Dump Before CanonicalizePass (canonicalize) //----- //
// NESTED-NEXT: func.func @f

func.func @f(%a: i32) -> i32 {
  %zero = arith.constant 0 : i32
  %x = arith.addi %a, %zero : i32
  func.return %x : i32
}
