// RUN: hologram-opt %s -t opencl-c
// EXIT: 1
// ERROR: elements of 8 bits
// ERROR: \[device-refuses-narrow-atomics\]
"gpu.module"() <{sym_name = "kernels"}> ({
  "gpu.func"() <{function_type = (memref<?xi8>, index, i8) -> ()}> ({
  ^bb0(%a: memref<?xi8>, %n: index, %x: i8):
    %v = "memref.atomic_rmw"(%x, %a, %n) <{kind = 1 : i64}> : (i8, memref<?xi8>, index) -> i8
    "gpu.return"() : () -> ()
  }) {sym_name = "k", gpu.kernel} : () -> ()
}) : () -> ()
