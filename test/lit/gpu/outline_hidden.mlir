// RUN: hologram-opt %s -p outline-gpu-kernels,flatten-kernels | filecheck %s

// The trap record stays one: the runtime passes that of the device in its place.

func.func @f(%n: index, %trap: memref<8xi64> {hologram.trap}) {
  %c1 = arith.constant 1 : index
  "gpu.launch"(%c1, %c1, %c1, %c1, %c1, %c1) <{operandSegmentSizes = array<i32: 0, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0>}> ({
  ^bb0(%bx: index, %by: index, %bz: index, %tx: index, %ty: index, %tz: index, %gx: index, %gy: index, %gz: index, %sx: index, %sy: index, %sz: index):
    %v = arith.index_cast %n : index to i64
    memref.store %v, %trap[%c1] : memref<8xi64>
    "gpu.terminator"() : () -> ()
  }) : (index, index, index, index, index, index) -> ()
  func.return
}

// CHECK:      \22role\22:\22trap\22
// CHECK-NEXT: gpu.func @f_kernel(%n: index, %trap: memref<?xi64> {hologram.trap, hologram.access = "write"}) kernel
