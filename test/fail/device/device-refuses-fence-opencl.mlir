// RUN: hologram-opt %s -t opencl-c
// EXIT: 1
// ERROR: orders memory for other blocks
// ERROR: \[device-refuses-fence-opencl\]
"gpu.module"() <{sym_name = "kernels"}> ({
  "gpu.func"() <{function_type = () -> ()}> ({
  ^bb0():
    "llvm.fence"() <{ordering = 4 : i64, syncscope = "device"}> : () -> ()
    "gpu.return"() : () -> ()
  }) {sym_name = "k", gpu.kernel} : () -> ()
}) : () -> ()
