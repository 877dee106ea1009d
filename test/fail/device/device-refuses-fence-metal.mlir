// RUN: hologram-opt %s -t msl
// EXIT: 1
// ERROR: orders memory for the whole system
// ERROR: \[device-refuses-fence-metal\]
"gpu.module"() <{sym_name = "kernels"}> ({
  "gpu.func"() <{function_type = () -> ()}> ({
  ^bb0():
    "llvm.fence"() <{ordering = 4 : i64}> : () -> ()
    "gpu.return"() : () -> ()
  }) {sym_name = "k", gpu.kernel} : () -> ()
}) : () -> ()
