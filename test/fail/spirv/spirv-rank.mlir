// RUN: hologram-opt %s -p convert-gpu-to-spirv
// EXIT: 1
// ERROR: 'memref.load' of a memref<\?x\?xf32> is no linear access
"gpu.module"() <{sym_name = "m"}> ({
  "gpu.func"() <{function_type = (memref<?x?xf32>, index) -> ()}> ({
  ^bb0(%x: memref<?x?xf32>, %i: index):
    %0 = memref.load %x[%i, %i] : memref<?x?xf32>
    "gpu.return"() : () -> ()
  }) {sym_name = "k", gpu.kernel} : () -> ()
}) : () -> ()
