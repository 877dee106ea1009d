// RUN: hologram-opt %s -p select-tables | filecheck %s

// A column of a known row is chosen by its bits; what has no known row, or is no table, stays in memory.

"gpu.module"() <{sym_name = "m"}> ({
  "memref.global"() <{sym_name = "t", type = memref<2x4xf32>, initial_value = dense<[[1.0, 2.0, 3.0, 4.0], [5.0, 6.0, 7.0, 8.0]]> : tensor<2x4xf32>, sym_visibility = "private", constant}> : () -> ()
  "memref.global"() <{sym_name = "three", type = memref<3xi32>, initial_value = dense<[1, 2, 3]> : tensor<3xi32>, sym_visibility = "private", constant}> : () -> ()
  "gpu.func"() <{function_type = (memref<?xf32>, memref<?xi32>, index) -> (), known_block_size = array<i32: 8, 1, 1>}> ({
  ^bb0(%out: memref<?xf32>, %numbers: memref<?xi32>, %i: index):
    %c1 = arith.constant 1 : index
    %t = memref.get_global @t : memref<2x4xf32>
    %u = memref.get_global @three : memref<3xi32>
    // CHECK: %[[A:.*]] = arith.constant 5.000000e+00 : f32
    // CHECK: %[[B:.*]] = arith.constant 6.000000e+00 : f32
    // CHECK: %[[C:.*]] = arith.constant 7.000000e+00 : f32
    // CHECK: %[[D:.*]] = arith.constant 8.000000e+00 : f32
    // CHECK: %[[N:.*]] = arith.index_cast %i : index to i32
    // CHECK: %[[ODD:.*]] = arith.cmpi ne
    // CHECK: %[[LOW:.*]] = arith.select %[[ODD]], %[[B]], %[[A]] : f32
    // CHECK: %[[HIGH:.*]] = arith.select %[[ODD]], %[[D]], %[[C]] : f32
    // CHECK: %[[UPPER:.*]] = arith.cmpi ne
    // CHECK: %[[V:.*]] = arith.select %[[UPPER]], %[[HIGH]], %[[LOW]] : f32
    %a = memref.load %t[%c1, %i] : memref<2x4xf32>
    // CHECK: memref.store %[[V]], %out
    memref.store %a, %out[%i] : memref<?xf32>
    // CHECK: memref.load %t[%i, %c1]
    %b = memref.load %t[%i, %c1] : memref<2x4xf32>
    memref.store %b, %out[%c1] : memref<?xf32>
    // CHECK: memref.load %u[%i]
    %n = memref.load %u[%i] : memref<3xi32>
    memref.store %n, %numbers[%i] : memref<?xi32>
    "gpu.return"() : () -> ()
  }) {sym_name = "k", gpu.kernel} : () -> ()
}) : () -> ()
