// RUN: hologram-opt %s -p convert-gpu-to-scf
// EXIT: 1
// ERROR: :14:5: error: asynchronous launches have no form on the CPU.* \[gpu-launch-async\]

"builtin.module"() ({
  "gpu.module"() <{sym_name = "m"}> ({
    "gpu.func"() <{function_type = () -> ()}> ({

      "gpu.return"() : () -> ()
    }) {gpu.kernel, sym_name = "k"} : () -> ()
  }) : () -> ()
  func.func @main(%n: index, %a: memref<?xf32>) {
    %t = "gpu.wait"() : () -> !gpu.async.token
    "gpu.launch_func"(%t, %n, %n, %n, %n, %n, %n) <{kernel = @m::@k, operandSegmentSizes = array<i32: 1, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0>}> : (!gpu.async.token, index, index, index, index, index, index) -> ()
    func.return
  }
}) : () -> ()
