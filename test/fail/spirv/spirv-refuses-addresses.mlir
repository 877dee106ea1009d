// RUN: hologram-opt %s -p convert-gpu-to-spirv
// EXIT: 1
// ERROR: asks for the address of memref<4xi32, #gpu.address_space<private>>, and only buffers of a launch have one here
"gpu.module"() <{sym_name = "m"}> ({
  "gpu.func"() <{function_type = (index) -> ()}> ({
  ^bb0(%i: index):
    %p = memref.alloca() : memref<4xi32, #gpu.address_space<private>>
    %0 = "memref.extract_aligned_pointer_as_index"(%p) : (memref<4xi32, #gpu.address_space<private>>) -> index
    "gpu.return"() : () -> ()
  }) {sym_name = "k", gpu.kernel} : () -> ()
}) : () -> ()
