// RUN: hologram-opt %s -p 'split-wide-integers{limb=32}'
// EXIT: 1
// ERROR: several numbers on this device
// ERROR: \[device-refuses-limb-atomics\]
"gpu.module"() <{sym_name = "kernels"}> ({
  "gpu.func"() <{function_type = (memref<?xi64>, index, i64) -> ()}> ({
  ^bb0(%a: memref<?xi64>, %i: index, %x: i64):
    %v = "memref.atomic_rmw"(%x, %a, %i) <{kind = 1 : i64}> : (i64, memref<?xi64>, index) -> i64
    memref.store %v, %a[%i] : memref<?xi64>
    "gpu.return"() : () -> ()
  }) {sym_name = "k", gpu.kernel} : () -> ()
}) : () -> ()
