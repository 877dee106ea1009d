// RUN: hologram-opt %s -p convert-parallel-loops-to-gpu | filecheck %s

// The index is good only where the launch that computes it did not trap: the threads that use it end otherwise.

func.func @f(%a: memref<?xf32>, %p: memref<index>, %v: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %a, %c0 : memref<?xf32>
  %at = memref.load %p[] : memref<index>
  %good = arith.cmpi ult, %at, %n : index
  cf.assert %good, "index out of range"
  "scf.parallel"(%c0, %c1, %c1) <{operandSegmentSizes = array<i32: 1, 1, 1, 0>}> ({
  ^bb0(%i: index):
    memref.store %v, %a[%at] : memref<?xf32>
    scf.reduce
  }) : (index, index, index) -> ()
  func.return
}

// CHECK:       %[[ENDED:.*]] = memref.alloc() {alignment = 64 : i64} : memref<1xi32>
// CHECK:       gpu.launch
// CHECK:         %[[ZERO:.*]] = arith.constant 0 : i32
// CHECK:         memref.store %[[ZERO]], %[[ENDED]]
// CHECK:         cf.assert %good, "index out of range"
// CHECK:         %[[ONE:.*]] = arith.constant 1 : i32
// CHECK:         memref.store %[[ONE]], %[[ENDED]]
// CHECK:       gpu.launch
// CHECK:         %[[LOADED:.*]] = memref.load %[[ENDED]]
// CHECK:         arith.cmpi eq, %[[LOADED]]
// CHECK-NEXT:    cf.assert
// CHECK:         memref.store %v, %a
// CHECK:       memref.dealloc %[[ENDED]]
