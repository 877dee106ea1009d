// RUN: hologram-opt %s -p flatten-kernels
// EXIT: 1
// ERROR: the kernel 'k' takes a i256, which a launch can't pass
"gpu.module"() <{sym_name = "m"}> ({
  "gpu.func"() <{function_type = (i256) -> ()}> ({
  ^bb0(%n: i256):
    "gpu.return"() : () -> ()
  }) {sym_name = "k", gpu.kernel} : () -> ()
}) : () -> ()
