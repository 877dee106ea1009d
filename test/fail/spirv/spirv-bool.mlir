// RUN: hologram-opt %s -p convert-gpu-to-spirv
// EXIT: 1
// ERROR: 'arith.shli' of i1 has no lowering to spirv
"gpu.module"() <{sym_name = "m"}> ({
  "gpu.func"() <{function_type = (i1) -> ()}> ({
  ^bb0(%x: i1):
    %0 = arith.shli %x, %x : i1
    "gpu.return"() : () -> ()
  }) {sym_name = "k", gpu.kernel} : () -> ()
}) : () -> ()
