// RUN: hologram-opt %s -p convert-gpu-to-nvvm
// EXIT: 1
// ERROR: device code needs the function @aligned_alloc, which devices have not \[device-library-call\]

"gpu.module"() <{sym_name = "m"}> ({
  "gpu.func"() <{function_type = (index) -> ()}> ({
  ^bb0(%n: index):
    %a = memref.alloc(%n) : memref<?xf32>
    "gpu.return"() : () -> ()
  }) {gpu.kernel, sym_name = "k"} : () -> ()
}) : () -> ()
