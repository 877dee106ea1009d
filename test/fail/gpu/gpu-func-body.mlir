// RUN: hologram-opt %s
// EXIT: 1
// ERROR: :7:5: error: gpu.func 'k' has no body.* \[gpu-func-body\]

"builtin.module"() ({
  "gpu.module"() <{sym_name = "m"}> ({
    "gpu.func"() <{function_type = () -> ()}> ({
    }) {gpu.kernel, sym_name = "k"} : () -> ()
  }) : () -> ()
}) : () -> ()
