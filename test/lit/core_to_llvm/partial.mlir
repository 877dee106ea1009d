// RUN: hologram-opt %s -p convert-arith-to-llvm | filecheck %s
// RUN: hologram-opt %s -p convert-arith-to-llvm,convert-func-to-llvm,reconcile-unrealized-casts | filecheck %s --check-prefix=ALL

// One conversion alone leaves casts to what it does not know; they cancel when all have run.

// CHECK-LABEL: func.func private @f(%a: index) -> index
// CHECK-NEXT:    [[A:%[a-z0-9_]+]] = builtin.unrealized_conversion_cast %a : index to i64
// CHECK-NEXT:    [[B:%[a-z0-9_]+]] = llvm.add [[A]], [[A]] : i64
// CHECK-NEXT:    [[C:%[a-z0-9_]+]] = builtin.unrealized_conversion_cast [[B]] : i64 to index
// CHECK-NEXT:    func.return [[C]] : index

// ALL-LABEL: llvm.func internal @f(%a: i64) -> i64
// ALL-NEXT:    %b = llvm.add %a, %a : i64
// ALL-NEXT:    llvm.return %b : i64
func.func private @f(%a: index) -> index {
  %b = arith.addi %a, %a : index
  func.return %b : index
}
