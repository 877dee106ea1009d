// RUN: hologram-opt %s -p vectorize-lanes | filecheck %s

// Comparisons are looked at before the loop, at its first and its last lane.
// CHECK-LABEL: @inside
// CHECK:         %[[FIRST:.*]] = arith.addi %first, %{{.*}} : index
// CHECK:         %[[LAST:.*]] = arith.addi %first, %{{.*}} : index
// CHECK:         %[[BELOW:.*]] = arith.cmpi slt, %[[LAST]], %n : index
// CHECK:         %[[ORDER:.*]] = arith.cmpi sle, %[[FIRST]], %[[LAST]] : index
// CHECK:         %[[ALL:.*]] = arith.andi %[[BELOW]], %[[ORDER]] : i1
// CHECK:         scf.if %[[ALL]] {
// CHECK-NEXT:      scf.for
// CHECK-NOT:         scf.if
// CHECK:           } {hologram.vectorize = {straight = 16 : i64}}
// CHECK:         } else {
// CHECK-NEXT:      scf.for
// CHECK:             arith.cmpi slt
// CHECK-NOT:       hologram.lanes
func.func @inside(%x: memref<?xf32>, %first: index, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c256 = arith.constant 256 : index
  scf.for %lane = %c0 to %c256 step %c1 {
    %i = arith.addi %first, %lane : index
    %some = arith.cmpi slt, %i, %n : index
    scf.if %some {
      %v = memref.load %x[%i] : memref<?xf32>
      %w = arith.addf %v, %v : f32
      memref.store %w, %x[%i] : memref<?xf32>
    }
  } {hologram.lanes}
  func.return
}

// What depends on data stays as it is.
// CHECK-LABEL: @data
// CHECK-NOT:     hologram.
// CHECK:         func.return
func.func @data(%x: memref<?xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  scf.for %i = %c0 to %n step %c1 {
    %v = memref.load %x[%i] : memref<?xf32>
    %some = arith.cmpf ogt, %v, %zero : f32
    scf.if %some {
      memref.store %zero, %x[%i] : memref<?xf32>
    }
  } {hologram.lanes}
  func.return
}

// Rows and columns of lanes are loops: the columns are on vectors.
// CHECK-LABEL: @digits
// CHECK:         scf.for %[[ROW:.*]] = %{{.*}} to %{{.*}} step
// CHECK:           scf.for %[[COLUMN:.*]] = %{{.*}} to %{{.*}} step
// CHECK-NEXT:        memref.load %x[%[[ROW]], %[[COLUMN]]]
// CHECK:           } {hologram.vectorize
// CHECK-NOT:     arith.shrui
func.func @digits(%x: memref<16x16xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c256 = arith.constant 256 : index
  %four = arith.constant 4 : index
  %fifteen = arith.constant 15 : index
  scf.for %lane = %c0 to %c256 step %c1 {
    %row = arith.shrui %lane, %four : index
    %column = arith.andi %lane, %fifteen : index
    %v = memref.load %x[%row, %column] : memref<16x16xf32>
    %w = arith.addf %v, %v : f32
    memref.store %w, %x[%row, %column] : memref<16x16xf32>
  } {hologram.lanes}
  func.return
}

// What can't be on vectors runs apart, unless the rest needs it.
// CHECK-LABEL: @parts
// CHECK:         memref.store {{.*}} : memref<65x65xf32>
// CHECK:         }
// CHECK-NOT:     hologram.vectorize
// CHECK:         memref.store {{.*}} : memref<?xf32>
// CHECK:         } {hologram.vectorize
func.func @parts(%x: memref<?xf32>, %y: memref<65x65xf32>, %z: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  scf.for %lane = %c0 to %c64 step %c1 {
    %u = memref.load %x[%lane] : memref<?xf32>
    %bits = arith.bitcast %u : f32 to i32
    %more = arith.addi %bits, %bits : i32
    %v = arith.bitcast %more : i32 to f32
    memref.store %v, %y[%lane, %c0] : memref<65x65xf32>
    %a = memref.load %x[%c1] : memref<?xf32>
    memref.store %a, %z[%lane] : memref<?xf32>
  } {hologram.lanes}
  func.return
}

// CHECK-LABEL: @together
// CHECK-NOT:     hologram.vectorize
// CHECK:         func.return
func.func @together(%x: memref<?xf32>, %y: memref<65x65xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  scf.for %lane = %c0 to %c64 step %c1 {
    %v = memref.load %x[%lane] : memref<?xf32>
    memref.store %v, %y[%lane, %c0] : memref<65x65xf32>
    memref.store %v, %x[%c1] : memref<?xf32>
  } {hologram.lanes}
  func.return
}
