// RUN: hologram-opt %s -p flatten-kernels
// EXIT: 1
// ERROR: the kernel 'k' takes a i7, which a launch can't pass
"gpu.module"() <{sym_name = "m"}> ({
  "gpu.func"() <{function_type = (i7) -> ()}> ({
  ^bb0(%n: i7):
    "gpu.return"() : () -> ()
  }) {sym_name = "k", gpu.kernel} : () -> ()
}) : () -> ()
