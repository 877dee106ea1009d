// RUN: hologram-opt %s -p 'vectorize-loops{vector-bytes=64}' | filecheck %s

// Elements of a global at indices that each lane computes are gathered; the lanes behind the end read nothing.

"memref.global"() <{sym_name = "t", type = memref<2x16xf32>, initial_value = dense<1.5> : tensor<2x16xf32>, sym_visibility = "private", constant}> : () -> ()

func.func @f(%n: memref<?xi32>, %y: memref<?xf32>, %count: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %fifteen = arith.constant 15 : i32
  scf.for %i = %c0 to %count step %c1 {
    %k = memref.load %n[%i] : memref<?xi32>
    %low = arith.andi %k, %fifteen : i32
    %at = arith.index_castui %low : i32 to index
    %t = memref.get_global @t : memref<2x16xf32>
    %v = memref.load %t[%c1, %at] : memref<2x16xf32>
    memref.store %v, %y[%i] : memref<?xf32>
  } {hologram.vectorize}
  func.return
}

// CHECK:      scf.for %i =
// CHECK:      %[[AT:.*]] = arith.index_castui %{{.*}} : vector<{{[0-9]+}}xi32> to vector<{{[0-9]+}}xindex>
// CHECK-NEXT: %[[T:.*]] = memref.get_global @t : memref<2x16xf32>
// CHECK:      %[[V:.*]] = vector.gather %[[T]][%c1, %{{.*}}] [%[[AT]]]
// CHECK-NEXT: vector.store %[[V]], %y[%i]
// CHECK:      %[[MASK:.*]] = vector.create_mask
// CHECK:      vector.gather %{{.*}}[%c1, %{{.*}}] [%{{.*}}], %[[MASK]]
