// RUN: hologram-opt %s
// EXIT: 1
// ERROR: :7:5: error: known_block_size must be three sizes of at least 1.* \[gpu-func-block-size\]

"builtin.module"() ({
  "gpu.module"() <{sym_name = "m"}> ({
    "gpu.func"() <{function_type = () -> (), known_block_size = array<i32: 32, 0, 1>}> ({

      "gpu.return"() : () -> ()
    }) {gpu.kernel, sym_name = "k"} : () -> ()
  }) : () -> ()
}) : () -> ()
