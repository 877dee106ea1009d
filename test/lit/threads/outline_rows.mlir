// RUN: hologram-opt %s -p 'outline-parallel-loops{least-work=0},canonicalize,cse' | filecheck %s

// Two dimensions: rows of the last one, of which the first and the last may be parts. No aliasing is known here.

// CHECK-LABEL: func.func private @fill(
// CHECK:         [[ALL:%.*]] = arith.muli
// CHECK:         func.call @fill_parallel_0(%{{.*}}, [[ALL]], %{{.*}}) {hologram.parallel}
// CHECK:       func.func private @fill_parallel_0(
// CHECK-SAME:      %a: memref<?x?xf32>, %0: index)
// CHECK:         [[FIRST:%.*]] = arith.divui %begin, [[LENGTH:%.*]] : index
// CHECK:         scf.for [[ROW:%.*]] = [[FIRST]] to
// CHECK-NEXT:      [[START:%.*]] = arith.muli [[ROW]], [[LENGTH]]
// CHECK-NEXT:      [[STOP:%.*]] = arith.addi [[START]], [[LENGTH]]
// CHECK-NEXT:      [[LOW:%.*]] = arith.maxui %begin, [[START]]
// CHECK-NEXT:      [[HIGH:%.*]] = arith.minui %end, [[STOP]]
// CHECK:           scf.for %j =
// CHECK-NEXT:        memref.store %x, %a{{\[}}[[ROW]], %j]
func.func private @fill(%m: index, %n: index, %x: f32, %a: memref<?x?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  "scf.parallel"(%c0, %c0, %m, %n, %c1, %c1) <{operandSegmentSizes = array<i32: 2, 2, 2, 0>}> ({
  ^bb0(%i: index, %j: index):
    memref.store %x, %a[%i, %j] : memref<?x?xf32>
    scf.reduce
  }) : (index, index, index, index, index, index) -> ()
  func.return
}
