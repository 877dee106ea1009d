// RUN: hologram-opt %s -p convert-gpu-to-spirv
// EXIT: 1
// ERROR: looks at the launch's shared memory as another type than before
"gpu.module"() <{sym_name = "m"}> ({
  "gpu.func"() <{function_type = (index) -> ()}> ({
  ^bb0(%i: index):
    %s = "gpu.dynamic_shared_memory"() : () -> memref<?xi8, #gpu.address_space<workgroup>>
    %a = memref.view %s[%i][%i] : memref<?xi8, #gpu.address_space<workgroup>> to memref<?xf32, #gpu.address_space<workgroup>>
    %b = memref.view %s[%i][%i] : memref<?xi8, #gpu.address_space<workgroup>> to memref<?xi16, #gpu.address_space<workgroup>>
    "gpu.return"() : () -> ()
  }) {sym_name = "k", gpu.kernel} : () -> ()
}) : () -> ()
