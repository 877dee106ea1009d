// RUN: hologram-opt %s -t wgsl
// EXIT: 1
// ERROR: works on f64, which WGSL has not
// ERROR: \[device-refuses-type\]
"gpu.module"() <{sym_name = "kernels"}> ({
  "gpu.func"() <{function_type = () -> ()}> ({
  ^bb0():
    %v = arith.constant 1.0 : f64
    "gpu.return"() : () -> ()
  }) {sym_name = "k", gpu.kernel} : () -> ()
}) : () -> ()
