// RUN: hologram-opt %s -p convert-gpu-to-scf
// EXIT: 1
// ERROR: :7:5: error: the global 'g' is in workgroup memory.* \[gpu-shared-global\]

"builtin.module"() ({
  "gpu.module"() <{sym_name = "m"}> ({
    "memref.global"() <{sym_name = "g", type = memref<4xf32, #gpu.address_space<workgroup>>, initial_value, sym_visibility = "private"}> : () -> ()
    "gpu.func"() <{function_type = () -> ()}> ({

      "gpu.return"() : () -> ()
    }) {gpu.kernel, sym_name = "k"} : () -> ()
  }) : () -> ()
}) : () -> ()
