// RUN: hologram-opt %s -p convert-gpu-launch-to-llvm
// EXIT: 1
// ERROR: a host copies whole buffers of a device, not views with strides
"gpu.binary"() <{sym_name = "m", objects = [#gpu.object<"text", assembly = "">]}> {hologram.device = "paper", hologram.format = "text", hologram.kernels = "[]", hologram.target = ""} : () -> ()
func.func @f(%a: memref<4xf32, strided<[2]>>, %b: memref<4xf32, strided<[2]>>) {
  "memref.copy"(%a, %b) : (memref<4xf32, strided<[2]>>, memref<4xf32, strided<[2]>>) -> ()
  func.return
}
