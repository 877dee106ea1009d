// RUN: hologram-opt %s -t opencl-c
// EXIT: 1
// ERROR: integers of 1, 8, 16, 32 and 64 bits
// ERROR: \[device-refuses-width\]
"gpu.module"() <{sym_name = "kernels"}> ({
  "gpu.func"() <{function_type = (memref<?xi128>, index) -> ()}> ({
  ^bb0(%a: memref<?xi128>, %i: index):
    %v = memref.load %a[%i] : memref<?xi128>
    "gpu.return"() : () -> ()
  }) {sym_name = "k", gpu.kernel} : () -> ()
}) : () -> ()
