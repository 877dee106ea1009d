// RUN: hologram-opt %s -p convert-gpu-to-spirv
// EXIT: 1
// ERROR: memory of type memref<4x4xf32, #gpu.address_space<private>> can't be a variable of a kernel
"gpu.module"() <{sym_name = "m"}> ({
  "gpu.func"() <{function_type = (index) -> ()}> ({
  ^bb0(%i: index):
    %m = memref.alloca() : memref<4x4xf32, #gpu.address_space<private>>
    "gpu.return"() : () -> ()
  }) {sym_name = "k", gpu.kernel} : () -> ()
}) : () -> ()
