// RUN: hologram-opt %s -p 'vectorize-loops{vector-bytes=64}' | filecheck %s --check-prefix=MASKED
// RUN: hologram-opt %s -p 'vectorize-loops{vector-bytes=32}' | filecheck %s --check-prefix=SCALAR

func.func @square(%a: memref<?xf64>, %b: memref<?xf64>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %x = memref.load %a[%i] : memref<?xf64>
    %y = arith.mulf %x, %x : f64
    memref.store %y, %b[%i] : memref<?xf64>
  } {hologram.vectorize}
  func.return
}

// Four registers at a time, then one with a mask.
// MASKED:      scf.for %i = %c0 to %[[END:.*]] step
// MASKED-NEXT:   %x = vector.load %a[%i] : memref<?xf64>, vector<32xf64>
// MASKED-NEXT:   %y = arith.mulf %x, %x : vector<32xf64>
// MASKED-NEXT:   vector.store %y, %b[%i] : memref<?xf64>, vector<32xf64>
// MASKED:      scf.for %[[I:.*]] = %[[END]] to %n step
// MASKED-NEXT:   %[[LEFT:.*]] = arith.subi %n, %[[I]] : index
// MASKED-NEXT:   %[[MASK:.*]] = vector.create_mask %[[LEFT]] : vector<8xi1>
// MASKED:        vector.maskedload %a[%[[I]]], %[[MASK]]
// MASKED:        vector.maskedstore %b[%[[I]]], %[[MASK]]

// Without masks the rest runs by single registers, then by elements; the bound says that there are few.
// SCALAR:      vector.load %a[%i] : memref<?xf64>, vector<16xf64>
// SCALAR:      vector.load %a[%{{.*}}] : memref<?xf64>, vector<4xf64>
// SCALAR:      %[[FEW:.*]] = arith.minsi
// SCALAR:      scf.for %[[K:.*]] = %{{.*}} to %[[FEW]] step
// SCALAR-NEXT:   %[[J:.*]] = arith.addi %{{.*}}, %[[K]] : index
// SCALAR-NEXT:   memref.load %a[%[[J]]] : memref<?xf64>
