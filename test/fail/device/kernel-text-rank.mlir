// RUN: hologram-opt %s -t opencl-c
// EXIT: 1
// ERROR: linear accesses
// ERROR: \[kernel-text-rank\]
"gpu.module"() <{sym_name = "kernels"}> ({
  "gpu.func"() <{function_type = (memref<?x?xf32>, index) -> ()}> ({
  ^bb0(%a: memref<?x?xf32>, %n: index):
    %v = memref.load %a[%n, %n] : memref<?x?xf32>
    "gpu.return"() : () -> ()
  }) {sym_name = "k", gpu.kernel} : () -> ()
}) : () -> ()
