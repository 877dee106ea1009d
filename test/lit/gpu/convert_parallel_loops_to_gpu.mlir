// RUN: hologram-opt %s -p convert-parallel-loops-to-gpu | filecheck %s

// What stands before the loop runs on one thread; the sum it leaves goes through memory.

func.func @f(%a: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %a, %c0 : memref<?xf32>
  %first = memref.load %a[%c0] : memref<?xf32>
  %twice = arith.addf %first, %first : f32
  "scf.parallel"(%c0, %n, %c1) <{operandSegmentSizes = array<i32: 1, 1, 1, 0>}> ({
  ^bb0(%i: index):
    %t = memref.alloc(%n) : memref<?xf32>
    memref.store %twice, %t[%c0] : memref<?xf32>
    %v = memref.load %t[%c0] : memref<?xf32>
    memref.store %v, %a[%i] : memref<?xf32>
    memref.dealloc %t : memref<?xf32>
    scf.reduce
  }) : (index, index, index) -> ()
  func.return
}

// CHECK:       %n = memref.dim %a, %c0
// CHECK:       %[[CELL:.*]] = memref.alloc() {alignment = 64 : i64} : memref<1xf32>
// CHECK:       gpu.launch
// CHECK:         %first = memref.load %a[%c0]
// CHECK-NEXT:    %twice = arith.addf %first, %first
// CHECK:         memref.store %twice, %[[CELL]]
// CHECK:       %[[SCRATCH:.*]] = memref.alloc(%{{.*}}) {alignment = 64 : i64} : memref<?xi8>
// CHECK:       gpu.launch
// CHECK:         %[[TWICE:.*]] = memref.load %[[CELL]]
// CHECK:         scf.for
// CHECK:           %[[T:.*]] = memref.view %[[SCRATCH]]
// CHECK-NEXT:      memref.store %[[TWICE]], %[[T]]
// CHECK-NOT:   scf.parallel
// CHECK:       memref.dealloc %[[SCRATCH]]
// CHECK:       memref.dealloc %[[CELL]]
