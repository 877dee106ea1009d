// RUN: hologram-opt %s --print-op-generic | hologram-opt --print-op-generic | filecheck %s

"builtin.module"() ({
  "gpu.module"() <{sym_name = "m"}> ({
    "gpu.func"() <{function_type = (index) -> (), known_block_size = array<i32: 32, 1, 1>}> ({
    ^bb0(%n: index, %s: memref<4xf32, #gpu.address_space<workgroup>>, %p: memref<2xf32, #gpu.address_space<private>>):
      %0 = "gpu.global_id"() <{dimension = #gpu<dim x>, upper_bound = 64 : index}> : () -> index
      %1 = "gpu.dynamic_shared_memory"() : () -> memref<?xi8, #gpu.address_space<workgroup>>
      "gpu.barrier"() : () -> ()
      "gpu.return"() : () -> ()
    }) {gpu.kernel, sym_name = "k", workgroup_attributions = 1 : i64} : () -> ()
  }) : () -> ()
}) {gpu.container_module} : () -> ()

// CHECK:      "gpu.func"() <{function_type = (index) -> (), known_block_size = array<i32: 32, 1, 1>}> ({
// CHECK-NEXT: ^bb0(%n: index, %s: memref<4xf32, #gpu.address_space<workgroup>>, %p: memref<2xf32, #gpu.address_space<private>>):
// CHECK-NEXT:   "gpu.global_id"() <{dimension = #gpu<dim x>, upper_bound = 64 : index}> : () -> index
// CHECK-NEXT:   "gpu.dynamic_shared_memory"() : () -> memref<?xi8, #gpu.address_space<workgroup>>
// CHECK-NEXT:   "gpu.barrier"() : () -> ()
// CHECK-NEXT:   "gpu.return"() : () -> ()
// CHECK-NEXT: }) {{.*}}gpu.kernel
