// RUN: hologram-opt %s -p convert-gpu-to-scf
// EXIT: 1
// ERROR: :8:7: error: 'gpu.wait' has no form on the CPU.* \[gpu-op-not-on-cpu\]

"builtin.module"() ({
  "gpu.module"() <{sym_name = "m"}> ({
    "gpu.func"() <{function_type = () -> ()}> ({
      %t = "gpu.wait"() : () -> !gpu.async.token
      "gpu.return"() : () -> ()
    }) {gpu.kernel, sym_name = "k"} : () -> ()
  }) : () -> ()
}) : () -> ()
