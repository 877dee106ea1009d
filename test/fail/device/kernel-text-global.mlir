// RUN: hologram-opt %s -t opencl-c
// EXIT: 1
// ERROR: is not constant
// ERROR: \[kernel-text-global\]
"gpu.module"() <{sym_name = "kernels"}> ({
  "gpu.func"() <{function_type = () -> ()}> ({
  ^bb0():

    "gpu.return"() : () -> ()
  }) {sym_name = "k", gpu.kernel} : () -> ()
  "memref.global"() <{sym_name = "table", type = memref<2xf32>, initial_value = dense<1.0> : tensor<2xf32>, sym_visibility = "private"}> : () -> ()
}) : () -> ()
