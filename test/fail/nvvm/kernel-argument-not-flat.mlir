// RUN: hologram-opt %s -p convert-gpu-to-nvvm
// EXIT: 1
// ERROR: the kernel 'k' takes a memref<\?x\?xf32>, whose shape .* \[kernel-argument-not-flat\]

"gpu.module"() <{sym_name = "m"}> ({
  "gpu.func"() <{function_type = (memref<?x?xf32>) -> ()}> ({
  ^bb0(%a: memref<?x?xf32>):
    "gpu.return"() : () -> ()
  }) {gpu.kernel, sym_name = "k"} : () -> ()
}) : () -> ()
