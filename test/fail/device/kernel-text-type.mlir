// RUN: hologram-opt %s -t opencl-c
// EXIT: 1
// ERROR: no form of
// ERROR: \[kernel-text-type\]
"gpu.module"() <{sym_name = "kernels"}> ({
  "gpu.func"() <{function_type = () -> ()}> ({
  ^bb0():
    %v = arith.constant dense<0.0> : vector<4xf32>
    %w = arith.addf %v, %v : vector<4xf32>
    "gpu.return"() : () -> ()
  }) {sym_name = "k", gpu.kernel} : () -> ()
}) : () -> ()
