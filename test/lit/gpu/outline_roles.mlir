// RUN: hologram-opt %s -p outline-gpu-kernels | filecheck %s

// Kernels say which of their arguments the launch passes.

func.func @f(%v: i64, %trap: memref<8xi64> {hologram.trap}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  "gpu.launch"(%c1, %c1, %c1, %c1, %c1, %c1) <{operandSegmentSizes = array<i32: 0, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0>}> ({
  ^bb0(%bx: index, %by: index, %bz: index, %tx: index, %ty: index, %tz: index, %gx: index, %gy: index, %gz: index, %sx: index, %sy: index, %sz: index):
    memref.store %v, %trap[%c0] : memref<8xi64>
    "gpu.terminator"() : () -> ()
  }) : (index, index, index, index, index, index) -> ()
  func.return
}

// CHECK: gpu.func @f_kernel(%v: i64, %trap: memref<8xi64> {hologram.trap})
