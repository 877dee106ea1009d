// RUN: hologram-opt %s
// EXIT: 1
// ERROR: :7:5: error: the kernel 'k' returns 1 value.* \[gpu-kernel-results\]

"builtin.module"() ({
  "gpu.module"() <{sym_name = "m"}> ({
    "gpu.func"() <{function_type = () -> f32}> ({

      "gpu.return"() : () -> ()
    }) {gpu.kernel, sym_name = "k"} : () -> ()
  }) : () -> ()
}) : () -> ()
