// RUN: hologram-opt %s -p outline-parallel-loops,canonicalize,cse | filecheck %s

// The body of a parallel loop runs over a range; the call carries the work of one iteration: two accesses of four bytes.

// CHECK-LABEL: func.func @copy(
// CHECK:         [[WORK:%.*]] = arith.constant 16 : index
// CHECK:         [[N:%.*]] = memref.dim %a
// CHECK:         func.call @copy_parallel_0(%{{.*}}, [[N]], [[WORK]], %a, %b) {hologram.parallel}
// CHECK-NEXT:    func.return
// CHECK:       func.func private @copy_parallel_0(%begin: index, %end: index, %work: index,
// CHECK-SAME:      %a: memref<?xf32> {llvm.noalias}, %b: memref<?xf32> {llvm.noalias})
// CHECK:         scf.for %i = %begin to %end step
// CHECK-NEXT:      [[V:%.*]] = memref.load %a[%i]
// CHECK-NEXT:      memref.store [[V]], %b[%i]
func.func @copy(%a: memref<?xf32>, %b: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %a, %c0 : memref<?xf32>
  "scf.parallel"(%c0, %n, %c1) <{operandSegmentSizes = array<i32: 1, 1, 1, 0>}> ({
  ^bb0(%i: index):
    %v = memref.load %a[%i] : memref<?xf32>
    memref.store %v, %b[%i] : memref<?xf32>
    scf.reduce
  }) : (index, index, index) -> ()
  func.return
}
