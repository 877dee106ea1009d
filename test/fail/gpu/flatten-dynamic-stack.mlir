// RUN: hologram-opt %s -p flatten-kernels
// EXIT: 1
// ERROR: a lane declares an array here whose size is not known before the launch
"gpu.module"() <{sym_name = "m"}> ({
  "gpu.func"() <{function_type = (index) -> ()}> ({
  ^bb0(%n: index):
    %t = memref.alloca(%n) : memref<?xf32>
    "gpu.return"() : () -> ()
  }) {sym_name = "k", gpu.kernel} : () -> ()
}) : () -> ()
