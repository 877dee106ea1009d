// RUN: hologram-opt %s -p convert-gpu-launch-to-llvm
// EXIT: 1
// ERROR: the gpu.binary 'm' has no kernel @m::@k
"gpu.binary"() <{sym_name = "m", objects = [#gpu.object<"text", assembly = "">]}> {hologram.device = "paper", hologram.format = "text", hologram.kernels = "[]", hologram.target = ""} : () -> ()
func.func @f() {
  %c1 = arith.constant 1 : index
  "gpu.launch_func"(%c1, %c1, %c1, %c1, %c1, %c1) <{kernel = @m::@k, operandSegmentSizes = array<i32: 0, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0>}> : (index, index, index, index, index, index) -> ()
  func.return
}
