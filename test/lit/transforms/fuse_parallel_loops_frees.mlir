// RUN: hologram-opt %s -p fuse-parallel-loops | filecheck %s

// Three loops are joined one after the other: what the first one reads is freed after the last one.

func.func @f(%a: memref<64xf32>, %b: memref<64xf32>, %c: memref<64xf32>, %d: memref<64xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %t = memref.alloc() : memref<64xf32>
  "memref.copy"(%a, %t) : (memref<64xf32>, memref<64xf32>) -> ()
  "scf.parallel"(%c0, %c64, %c1) <{operandSegmentSizes = array<i32: 1, 1, 1, 0>}> ({
  ^bb0(%i: index):
    %x = memref.load %t[%i] : memref<64xf32>
    memref.store %x, %b[%i] : memref<64xf32>
    scf.reduce
  }) : (index, index, index) -> ()
  memref.dealloc %t : memref<64xf32>
  "scf.parallel"(%c0, %c64, %c1) <{operandSegmentSizes = array<i32: 1, 1, 1, 0>}> ({
  ^bb0(%i: index):
    %x = memref.load %a[%i] : memref<64xf32>
    memref.store %x, %c[%i] : memref<64xf32>
    scf.reduce
  }) : (index, index, index) -> ()
  "scf.parallel"(%c0, %c64, %c1) <{operandSegmentSizes = array<i32: 1, 1, 1, 0>}> ({
  ^bb0(%i: index):
    %x = memref.load %a[%i] : memref<64xf32>
    memref.store %x, %d[%i] : memref<64xf32>
    scf.reduce
  }) : (index, index, index) -> ()
  func.return
}

// CHECK: memref.copy
// CHECK-NEXT: scf.parallel
// CHECK-NOT: memref.dealloc
// CHECK: memref.load %t
// CHECK-NOT: scf.parallel
// CHECK: }
// CHECK-NEXT: memref.dealloc %t
// CHECK-NEXT: func.return
