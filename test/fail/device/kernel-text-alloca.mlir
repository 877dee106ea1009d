// RUN: hologram-opt %s -t opencl-c
// EXIT: 1
// ERROR: size that is not constant
// ERROR: \[kernel-text-alloca\]
"gpu.module"() <{sym_name = "kernels"}> ({
  "gpu.func"() <{function_type = (index) -> ()}> ({
  ^bb0(%n: index):
    %m = memref.alloca(%n) : memref<?xf32>
    "gpu.return"() : () -> ()
  }) {sym_name = "k", gpu.kernel} : () -> ()
}) : () -> ()
