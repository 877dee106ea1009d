// RUN: hologram-opt %s -p insert-stop-checks | FileCheck %s

// Loops look at the trap record where sizes do not say how often they go round.

// CHECK-LABEL: func.func @sizes(%a: memref<?xf32>) {
// CHECK-NOT: hologram_continues
// CHECK: func.return
func.func @sizes(%a: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %a, %c0 : memref<?xf32>
  %m = arith.muli %n, %n : index
  scf.for %i = %c0 to %m step %c1 {
    scf.for %j = %i to %n step %c1 {
      %v = memref.load %a[%j] : memref<?xf32>
      memref.store %v, %a[%c0] : memref<?xf32>
    }
  }
  return
}

// CHECK-LABEL: func.func @scalar(%a: memref<?xf32>, %n: index, %trap: memref<8xi64> {hologram.trap})
// CHECK-SAME: hologram.unbounded
// CHECK: %[[SPAN:.*]] = arith.constant 65536 : index
// CHECK: scf.for %[[I:.*]] = %c0 to %n step %[[SPAN]] {
// CHECK-NEXT: %[[GO:.*]] = func.call @hologram_continues(%trap) : (memref<8xi64>) -> i1
// CHECK-NEXT: cf.assert %[[GO]], "the launch was stopped"
// CHECK-NEXT: %[[NEXT:.*]] = arith.addi %[[I]], %[[SPAN]] : index
// CHECK-NEXT: %[[END:.*]] = arith.minsi %[[NEXT]], %n : index
// CHECK-NEXT: scf.for %i = %[[I]] to %[[END]] step %c1 {
func.func @scalar(%a: memref<?xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant 0.0 : f32
  scf.for %i = %c0 to %n step %c1 {
    memref.store %z, %a[%c0] : memref<?xf32>
  }
  return
}

// CHECK-LABEL: func.func @caller(%a: memref<?xf32>, %trap: memref<8xi64> {hologram.trap})
// CHECK: func.call @scalar(%a, %c3, %trap)
func.func @caller(%a: memref<?xf32>) {
  %c3 = arith.constant 3 : index
  func.call @scalar(%a, %c3) : (memref<?xf32>, index) -> ()
  return
}
