// RUN: hologram-opt %s -p outline-parallel-loops | filecheck %s

// A fence that is there for non-temporal stores alone moves behind all iterations; others stay.

// CHECK-LABEL: func.func private @f_parallel_0
// CHECK:         scf.for %i = %begin to %end
// CHECK-NEXT:      memref.store
// CHECK-NEXT:      llvm.fence acq_rel
// CHECK-NEXT:    }
// CHECK-NEXT:    llvm.fence seq_cst
// CHECK-NEXT:    func.return
func.func @f(%a: memref<?xf32>, %v: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %a, %c0 : memref<?xf32>
  "scf.parallel"(%c0, %n, %c1) <{operandSegmentSizes = array<i32: 1, 1, 1, 0>}> ({
  ^bb0(%i: index):
    memref.store %v, %a[%i] : memref<?xf32>
    llvm.fence seq_cst {hologram.streams}
    llvm.fence acq_rel
    scf.reduce
  }) : (index, index, index) -> ()
  func.return
}
