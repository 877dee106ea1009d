// RUN: hologram-opt %s -p flatten-kernels
// EXIT: 1
// ERROR: 'memref.alloc' on a buffer has no form in a kernel
"gpu.module"() <{sym_name = "m"}> ({
  "gpu.func"() <{function_type = (index) -> ()}> ({
  ^bb0(%n: index):
    %t = memref.alloc(%n) : memref<?xf32>
    memref.dealloc %t : memref<?xf32>
    "gpu.return"() : () -> ()
  }) {sym_name = "k", gpu.kernel} : () -> ()
}) : () -> ()
