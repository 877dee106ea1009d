// RUN: hologram-opt %s -p convert-gpu-to-scf
// EXIT: 1
// ERROR: :14:5: error: the kernel @m::@k takes \(f32\), but is launched with \(memref<\?xf32>\).* \[gpu-launch-arguments\]

"builtin.module"() ({
  "gpu.module"() <{sym_name = "m"}> ({
    "gpu.func"() <{function_type = (f32) -> ()}> ({
    ^bb0(%x: f32):

      "gpu.return"() : () -> ()
    }) {gpu.kernel, sym_name = "k"} : () -> ()
  }) : () -> ()
  func.func @main(%n: index, %a: memref<?xf32>) {
    "gpu.launch_func"(%n, %n, %n, %n, %n, %n, %a) <{kernel = @m::@k, operandSegmentSizes = array<i32: 0, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 1, 0>}> : (index, index, index, index, index, index, memref<?xf32>) -> ()
    func.return
  }
}) : () -> ()
