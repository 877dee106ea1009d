// RUN: hologram-opt %s -t wgsl | filecheck %s

// Truth values that the lanes of a block share are words in WGSL: some drivers lose neighbours of a bool that is stored.

// CHECK: var<workgroup> a: array<u32, 8>;
// CHECK: let x = 
// CHECK: a[i] = select(0u, 1u, x);
// CHECK: let y = (a[i] != 0u);
"gpu.module"() <{sym_name = "kernels"}> ({
  "gpu.func"() <{function_type = (memref<?xi32>, index) -> ()}> ({
  ^bb0(%m: memref<?xi32>, %i: index):
    %a = memref.alloca() : memref<8xi1, #gpu.address_space<workgroup>>
    %w = memref.load %m[%i] : memref<?xi32>
    %x = arith.trunci %w : i32 to i1
    memref.store %x, %a[%i] : memref<8xi1, #gpu.address_space<workgroup>>
    "gpu.barrier"() : () -> ()
    %y = memref.load %a[%i] : memref<8xi1, #gpu.address_space<workgroup>>
    %z = arith.extui %y : i1 to i32
    memref.store %z, %m[%i] : memref<?xi32>
    "gpu.return"() : () -> ()
  }) {sym_name = "k", gpu.kernel} : () -> ()
}) : () -> ()
