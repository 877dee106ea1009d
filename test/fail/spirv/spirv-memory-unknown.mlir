// RUN: hologram-opt %s -p convert-gpu-to-spirv
// EXIT: 1
// ERROR: accesses memory that is neither an argument nor an array of the kernel
"gpu.module"() <{sym_name = "m"}> ({
  "gpu.func"() <{function_type = (index) -> ()}> ({
  ^bb0(%i: index):
    %m = "test.op"() : () -> memref<?xf32>
    %0 = memref.load %m[%i] : memref<?xf32>
    "gpu.return"() : () -> ()
  }) {sym_name = "k", gpu.kernel} : () -> ()
}) : () -> ()
