// RUN: hologram-opt %s -p convert-gpu-to-spirv
// EXIT: 1
// ERROR: gives an integer of 128 bits, and SPIR-V has at most 64
"gpu.module"() <{sym_name = "m"}> ({
  "gpu.func"() <{function_type = (i64) -> ()}> ({
  ^bb0(%i: i64):
    %0 = arith.extui %i : i64 to i128
    "gpu.return"() : () -> ()
  }) {sym_name = "k", gpu.kernel} : () -> ()
}) : () -> ()
