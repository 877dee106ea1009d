// RUN: hologram-opt %s -p fuse-parallel-loops | filecheck %s

// A buffer of rows that only the joined loop uses becomes one row for each run of 16.

func.func @twice(%x: memref<?x?xf32>, %y: memref<?x?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = memref.dim %x, %c0 : memref<?x?xf32>
  %n = memref.dim %x, %c1 : memref<?x?xf32>
  %t = memref.alloc(%m, %n) : memref<?x?xf32>
  "scf.parallel"(%c0, %m, %c1) <{operandSegmentSizes = array<i32: 1, 1, 1, 0>}> ({
  ^bb0(%i: index):
    scf.for %j = %c0 to %n step %c1 {
      %v = memref.load %x[%i, %j] : memref<?x?xf32>
      memref.store %v, %t[%i, %j] : memref<?x?xf32>
    }
    scf.reduce
  }) : (index, index, index) -> ()
  "scf.parallel"(%c0, %m, %c1) <{operandSegmentSizes = array<i32: 1, 1, 1, 0>}> ({
  ^bb0(%i: index):
    scf.for %j = %c1 to %n step %c1 {
      %k = arith.subi %n, %j : index
      %v = memref.load %t[%i, %k] : memref<?x?xf32>
      memref.store %v, %y[%i, %j] : memref<?x?xf32>
    }
    scf.reduce
  }) : (index, index, index) -> ()
  memref.dealloc %t : memref<?x?xf32>
  func.return
}

// CHECK-LABEL: func.func @twice
// CHECK: [[SIXTEEN:%.*]] = arith.constant 16 : index
// CHECK: [[STEP:%.*]] = arith.muli [[SIXTEEN]], {{%.*}} : index
// CHECK: scf.parallel ([[ROWS:%.*]]) = ({{%.*}}) to ({{%.*}}) step ([[STEP]])
// CHECK: [[T:%.*]] = memref.alloc({{%.*}}) : memref<?xf32>
// CHECK: scf.for {{%.*}} = [[ROWS]] to {{%.*}} step
// CHECK: memref.store {{%.*}}, [[T]][{{%.*}}] : memref<?xf32>
// CHECK: memref.load [[T]][{{%.*}}] : memref<?xf32>
// CHECK: memref.dealloc [[T]] : memref<?xf32>
// CHECK-NEXT: }
