// RUN: hologram-opt %s -p fuse-parallel-loops | filecheck %s

// Two loops over the same rows become one: the sum of a row is passed on, and its buffer is gone.

func.func @scaled(%x: memref<?x?xf32>, %y: memref<?x?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %m = memref.dim %x, %c0 : memref<?x?xf32>
  %n = memref.dim %x, %c1 : memref<?x?xf32>
  %s = memref.alloc(%m) : memref<?xf32>
  "scf.parallel"(%c0, %m, %c1) <{operandSegmentSizes = array<i32: 1, 1, 1, 0>}> ({
  ^bb0(%i: index):
    %r = scf.for %j = %c0 to %n step %c1 iter_args(%a = %zero) -> (f32) {
      %v = memref.load %x[%i, %j] : memref<?x?xf32>
      %b = arith.addf %a, %v : f32
      scf.yield %b : f32
    }
    memref.store %r, %s[%i] : memref<?xf32>
    scf.reduce
  }) : (index, index, index) -> ()
  %k = memref.dim %s, %c0 : memref<?xf32>
  "scf.parallel"(%c0, %k, %c1) <{operandSegmentSizes = array<i32: 1, 1, 1, 0>}> ({
  ^bb0(%i: index):
    scf.for %j = %c0 to %n step %c1 {
      %v = memref.load %x[%i, %j] : memref<?x?xf32>
      %r = memref.load %s[%i] : memref<?xf32>
      %q = arith.divf %v, %r : f32
      memref.store %q, %y[%i, %j] : memref<?x?xf32>
    }
    scf.reduce
  }) : (index, index, index) -> ()
  memref.dealloc %s : memref<?xf32>
  func.return
}

// CHECK-LABEL: func.func @scaled
// CHECK-NOT: memref.alloc
// CHECK: scf.parallel
// CHECK: [[SUM:%.*]] = scf.for
// CHECK-NOT: scf.parallel
// CHECK: arith.divf {{%.*}}, [[SUM]] : f32
// CHECK-NOT: memref.dealloc
// CHECK: func.return
