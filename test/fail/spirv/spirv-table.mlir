// RUN: hologram-opt %s -p convert-gpu-to-spirv
// EXIT: 1
// ERROR: 't' is no table of constants of one dimension in the module
"gpu.module"() <{sym_name = "m"}> ({
  "memref.global"() <{sym_name = "t", type = memref<2x2xf32>, initial_value = dense<1.0> : tensor<2x2xf32>, sym_visibility = "private", constant}> : () -> ()
  "gpu.func"() <{function_type = (index) -> ()}> ({
  ^bb0(%i: index):
    %t = memref.get_global @t : memref<2x2xf32>
    "gpu.return"() : () -> ()
  }) {sym_name = "k", gpu.kernel} : () -> ()
}) : () -> ()
