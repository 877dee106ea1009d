// RUN: hologram-opt %s -p convert-gpu-launch-to-llvm
// EXIT: 1
// ERROR: there is no gpu.binary with the kernel @m::@k
func.func @f() {
  %c1 = arith.constant 1 : index
  "gpu.launch_func"(%c1, %c1, %c1, %c1, %c1, %c1) <{kernel = @m::@k, operandSegmentSizes = array<i32: 0, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0>}> : (index, index, index, index, index, index) -> ()
  func.return
}
