// RUN: hologram-opt %s -t wgsl
// EXIT: 1
// ERROR: chooses between buffers
// ERROR: \[device-refuses-pointers\]
"gpu.module"() <{sym_name = "kernels"}> ({
  "gpu.func"() <{function_type = (memref<?xi32>, memref<?xi32>, i1) -> ()}> ({
  ^bb0(%a: memref<?xi32>, %b: memref<?xi32>, %c: i1):
    %m = arith.select %c, %a, %b : memref<?xi32>
    "gpu.return"() : () -> ()
  }) {sym_name = "k", gpu.kernel} : () -> ()
}) : () -> ()
