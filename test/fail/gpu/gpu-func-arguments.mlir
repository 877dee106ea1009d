// RUN: hologram-opt %s
// EXIT: 1
// ERROR: :7:5: error: the entry block's first arguments must have the types of the function's inputs.* \[gpu-func-arguments\]

"builtin.module"() ({
  "gpu.module"() <{sym_name = "m"}> ({
    "gpu.func"() <{function_type = (f64) -> ()}> ({
    ^bb0(%x: f32):

      "gpu.return"() : () -> ()
    }) {gpu.kernel, sym_name = "k"} : () -> ()
  }) : () -> ()
}) : () -> ()
