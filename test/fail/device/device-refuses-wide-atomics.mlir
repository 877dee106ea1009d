// RUN: hologram-opt %s -t wgsl{features=i64}
// EXIT: 1
// ERROR: elements of 64 bits
// ERROR: \[device-refuses-wide-atomics\]
"gpu.module"() <{sym_name = "kernels"}> ({
  "gpu.func"() <{function_type = (memref<?xi64>, index, i64) -> ()}> ({
  ^bb0(%a: memref<?xi64>, %n: index, %x: i64):
    %v = "memref.atomic_rmw"(%x, %a, %n) <{kind = 1 : i64}> : (i64, memref<?xi64>, index) -> i64
    "gpu.return"() : () -> ()
  }) {sym_name = "k", gpu.kernel} : () -> ()
}) : () -> ()
