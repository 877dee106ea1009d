// RUN: hologram-opt %s -p convert-gpu-to-scf | filecheck %s

// What only depends on thread ids is computed again after the barrier; what was loaded is kept.

"builtin.module"() ({
  "gpu.module"() <{sym_name = "m"}> ({
    "gpu.func"() <{function_type = (memref<?xf32>) -> (), known_block_size = array<i32: 32, 1, 1>}> ({
    ^bb0(%a: memref<?xf32>, %s: memref<32xf32, #gpu.address_space<workgroup>>):
      %t = "gpu.thread_id"() <{dimension = #gpu<dim x>}> : () -> index
      %i = "gpu.global_id"() <{dimension = #gpu<dim x>}> : () -> index
      %v = memref.load %a[%i] : memref<?xf32>
      memref.store %v, %s[%t] : memref<32xf32, #gpu.address_space<workgroup>>
      "gpu.barrier"() : () -> ()
      %c31 = arith.constant 31 : index
      %r = arith.subi %c31, %t : index
      %w = memref.load %s[%r] : memref<32xf32, #gpu.address_space<workgroup>>
      %x = arith.addf %v, %w : f32
      memref.store %x, %a[%i] : memref<?xf32>
      "gpu.return"() : () -> ()
    }) {gpu.kernel, sym_name = "k", workgroup_attributions = 1 : i64} : () -> ()
  }) : () -> ()
}) {gpu.container_module} : () -> ()

// CHECK:       builtin.module {
// CHECK-NEXT:    func.func private @k(%grid_x: index, %grid_y: index, %grid_z: index, %block_x: index, %block_y: index, %block_z: index, %a: memref<?xf32>)
// CHECK:           %[[SIZE:.*]] = arith.constant 32 : index
// CHECK:           scf.parallel
// CHECK:             %s = memref.alloca() {alignment = 64 : i64} : memref<32xf32>
// CHECK-NEXT:        %v = memref.alloca() {alignment = 64 : i64} : memref<32xf32>
// CHECK-NEXT:        scf.for %thread_x =
// CHECK:               memref.store %{{.*}}, %v[%thread_x] : memref<32xf32>
// CHECK-NEXT:          memref.store %{{.*}}, %s[%thread_x] : memref<32xf32>
// CHECK-NEXT:        }
// CHECK-NEXT:        %c31 = arith.constant 31 : index
// CHECK-NEXT:        scf.for %[[T:.*]] =
// CHECK-NEXT:          %[[R:.*]] = arith.subi %c31, %[[T]] : index
// CHECK-NEXT:          %[[W:.*]] = memref.load %s[%[[R]]] : memref<32xf32>
// CHECK-NEXT:          %[[V:.*]] = memref.load %v[%[[T]]] : memref<32xf32>
// CHECK-NEXT:          %[[X:.*]] = arith.addf %[[V]], %[[W]] : f32
// CHECK-NEXT:          %[[B:.*]] = arith.muli %block_id_x, %[[SIZE]] : index
// CHECK-NEXT:          %[[I:.*]] = arith.addi %[[B]], %[[T]] : index
// CHECK-NEXT:          memref.store %[[X]], %a[%[[I]]] : memref<?xf32>
