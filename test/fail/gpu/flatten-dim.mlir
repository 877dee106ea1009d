// RUN: hologram-opt %s -p flatten-kernels
// EXIT: 1
// ERROR: a kernel asks for a size here by an axis that is not known
"gpu.module"() <{sym_name = "m"}> ({
  "gpu.func"() <{function_type = (memref<?x?xf32>, index) -> ()}> ({
  ^bb0(%a: memref<?x?xf32>, %n: index):
    %d = memref.dim %a, %n : memref<?x?xf32>
    "gpu.return"() : () -> ()
  }) {sym_name = "k", gpu.kernel} : () -> ()
}) : () -> ()
