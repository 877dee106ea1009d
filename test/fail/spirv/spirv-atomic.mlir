// RUN: hologram-opt %s -p convert-gpu-to-spirv
// EXIT: 1
// ERROR: an atomic access to memref<\?xi16> has no lowering to spirv
"gpu.module"() <{sym_name = "m"}> ({
  "gpu.func"() <{function_type = (memref<?xi16>, index, i16) -> ()}> ({
  ^bb0(%m: memref<?xi16>, %i: index, %v: i16):
    %0 = "memref.atomic_rmw"(%v, %m, %i) <{kind = 1 : i64}> : (i16, memref<?xi16>, index) -> i16
    "gpu.return"() : () -> ()
  }) {sym_name = "k", gpu.kernel} : () -> ()
}) : () -> ()
