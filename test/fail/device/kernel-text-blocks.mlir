// RUN: hologram-opt %s -t opencl-c
// EXIT: 1
// ERROR: the kernel 'k' has branches between blocks
// ERROR: \[kernel-text-blocks\]
"gpu.module"() <{sym_name = "kernels"}> ({
  "gpu.func"() <{function_type = () -> ()}> ({
    cf.br ^next
  ^next:
    "gpu.return"() : () -> ()
  }) {sym_name = "k", gpu.kernel} : () -> ()
}) : () -> ()
