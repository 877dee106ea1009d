// RUN: hologram-opt %s -p convert-gpu-to-scf
// EXIT: 1
// ERROR: :13:5: error: 'gpu.wait' has no form on the CPU.* \[gpu-op-outside-kernel\]

"builtin.module"() ({
  "gpu.module"() <{sym_name = "m"}> ({
    "gpu.func"() <{function_type = () -> ()}> ({

      "gpu.return"() : () -> ()
    }) {gpu.kernel, sym_name = "k"} : () -> ()
  }) : () -> ()
  func.func @main(%n: index, %a: memref<?xf32>) {
    %t = "gpu.wait"() : () -> !gpu.async.token
    func.return
  }
}) : () -> ()
