// RUN: hologram-opt %s -t opencl-c
// EXIT: 1
// ERROR: the kernel 'float' can't have this name in OpenCL C
// ERROR: \[kernel-text-name\]
"gpu.module"() <{sym_name = "kernels"}> ({
  "gpu.func"() <{function_type = () -> ()}> ({
    "gpu.return"() : () -> ()
  }) {sym_name = "float", gpu.kernel} : () -> ()
}) : () -> ()
