// RUN: hologram-opt %s -t opencl-c
// EXIT: 1
// ERROR: computes with bf16
// ERROR: \[kernel-text-narrow\]
"gpu.module"() <{sym_name = "kernels"}> ({
  "gpu.func"() <{function_type = (bf16) -> ()}> ({
  ^bb0(%x: bf16):
    %v = arith.addf %x, %x : bf16
    "gpu.return"() : () -> ()
  }) {sym_name = "k", gpu.kernel} : () -> ()
}) : () -> ()
