// RUN: hologram-opt %s -p stage-tables | filecheck %s

// What is looked up at four places is copied by all lanes first; what is looked up once stays in global memory.

"gpu.module"() <{sym_name = "m"}> ({
  "memref.global"() <{sym_name = "often", type = memref<2x16xf32>, initial_value = dense<1.0> : tensor<2x16xf32>, sym_visibility = "private", constant}> : () -> ()
  "memref.global"() <{sym_name = "once", type = memref<16xf32>, initial_value = dense<2.0> : tensor<16xf32>, sym_visibility = "private", constant}> : () -> ()
  "gpu.func"() <{function_type = (memref<?xf32>, index) -> (), known_block_size = array<i32: 8, 4, 1>}> ({
  ^bb0(%out: memref<?xf32>, %i: index):
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %t = memref.get_global @often : memref<2x16xf32>
    %u = memref.get_global @once : memref<16xf32>
    %a = memref.load %t[%c0, %i] : memref<2x16xf32>
    %b = memref.load %t[%c1, %i] : memref<2x16xf32>
    %c = memref.load %t[%c0, %c1] : memref<2x16xf32>
    %d = memref.load %t[%c1, %c1] : memref<2x16xf32>
    %e = memref.load %u[%i] : memref<16xf32>
    memref.store %e, %out[%i] : memref<?xf32>
    "gpu.return"() : () -> ()
  }) {sym_name = "k", gpu.kernel} : () -> ()
}) : () -> ()

// CHECK:       gpu.func @k(%out: memref<?xf32>, %i: index) workgroup(%table : memref<2x16xf32, #gpu.address_space<workgroup>>)
// CHECK:         %[[Y:.*]] = gpu.thread_id y
// CHECK:         %[[X:.*]] = gpu.thread_id x
// CHECK:         %[[ROW:.*]] = arith.muli %[[Y]], %{{.*}} : index
// CHECK:         %[[LANE:.*]] = arith.addi %[[ROW]], %[[X]] : index
// CHECK:         %[[SOURCE:.*]] = memref.get_global @often
// CHECK:         scf.for %[[N:.*]] = %[[LANE]] to %{{.*}} step
// CHECK:           %[[COLUMN:.*]] = arith.remui %[[N]]
// CHECK:           %[[LINE:.*]] = arith.divui %[[N]]
// CHECK:           %[[VALUE:.*]] = memref.load %[[SOURCE]][%[[LINE]], %[[COLUMN]]]
// CHECK:           memref.store %[[VALUE]], %table[%[[LINE]], %[[COLUMN]]]
// CHECK:         gpu.barrier
// CHECK:         %u = memref.get_global @once
// CHECK-COUNT-4: memref.load %table[
// CHECK:         memref.load %u[%i]
