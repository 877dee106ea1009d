// RUN: hologram-opt %s
// EXIT: 1
// ERROR: :7:5: error: workgroup_attributions is 2, but the entry block has 1 argument.* \[gpu-func-attributions\]

"builtin.module"() ({
  "gpu.module"() <{sym_name = "m"}> ({
    "gpu.func"() <{function_type = () -> ()}> ({
    ^bb0(%s: memref<4xf32, #gpu.address_space<workgroup>>):

      "gpu.return"() : () -> ()
    }) {gpu.kernel, sym_name = "k", workgroup_attributions = 2 : i64} : () -> ()
  }) : () -> ()
}) : () -> ()
