// RUN: hologram-opt %s -p convert-gpu-to-spirv
// EXIT: 1
// ERROR: 'arith.addf' computes bf16, which SPIR-V does not
"gpu.module"() <{sym_name = "m"}> ({
  "gpu.func"() <{function_type = (bf16) -> ()}> ({
  ^bb0(%x: bf16):
    %0 = arith.addf %x, %x : bf16
    "gpu.return"() : () -> ()
  }) {sym_name = "k", gpu.kernel} : () -> ()
}) : () -> ()
