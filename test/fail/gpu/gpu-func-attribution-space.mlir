// RUN: hologram-opt %s
// EXIT: 1
// ERROR: :7:5: error: a workgroup attribution must be a memref in #gpu.address_space<workgroup>, not memref<4xf32>.* \[gpu-func-attribution-space\]

"builtin.module"() ({
  "gpu.module"() <{sym_name = "m"}> ({
    "gpu.func"() <{function_type = () -> ()}> ({
    ^bb0(%s: memref<4xf32>):

      "gpu.return"() : () -> ()
    }) {gpu.kernel, sym_name = "k", workgroup_attributions = 1 : i64} : () -> ()
  }) : () -> ()
}) : () -> ()
