// RUN: hologram-opt %s -t wgsl{features=f46}
// EXIT: 2
// ERROR: there is no feature 'f46' of devices
// ERROR: \[kernel-text-feature\]
"gpu.module"() <{sym_name = "kernels"}> ({
  "gpu.func"() <{function_type = () -> ()}> ({
  ^bb0():

    "gpu.return"() : () -> ()
  }) {sym_name = "k", gpu.kernel} : () -> ()
}) : () -> ()
