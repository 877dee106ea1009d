// RUN: hologram-opt %s -p 'vectorize-loops{vector-bytes=64}' | filecheck %s

// A row of a large memref is written past the cache too, if it is long; not one that is read again.
func.func @row(%a: memref<?xf32>, %b: memref<?x?xf32>, %r: index, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %x = memref.load %a[%i] : memref<?xf32>
    memref.store %x, %b[%r, %i] : memref<?x?xf32>
  } {hologram.vectorize = {past_cache = 1000000 : i64}}
  func.return
}

// CHECK-LABEL: func.func @row
// CHECK:      %[[SIZE:.*]] = arith.muli
// CHECK-NEXT: %[[LARGE:.*]] = arith.cmpi ugt, %[[SIZE]], %{{.*}} : index
// CHECK-NEXT: %[[LENGTH:.*]] = arith.subi %n, %c0 : index
// CHECK-NEXT: %[[LONG:.*]] = arith.cmpi sge, %[[LENGTH]], %{{.*}} : index
// CHECK-NEXT: %[[FAR:.*]] = arith.andi %[[LARGE]], %[[LONG]] : i1
// CHECK:      scf.if %[[FAR]] {
// CHECK:        vector.store %{{.*}}, %b[%r, %{{.*}}] {nontemporal = true, alignment = 64 : i64}
// CHECK:        llvm.fence seq_cst {hologram.streams}

// CHECK-LABEL: func.func @read
// CHECK-NOT:   nontemporal
func.func @read(%a: memref<?xf32>, %b: memref<?x?xf32>, %r: index, %n: index) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %x = memref.load %a[%i] : memref<?xf32>
    memref.store %x, %b[%r, %i] : memref<?x?xf32>
  } {hologram.vectorize = {past_cache = 1000000 : i64}}
  %y = memref.load %b[%r, %c0] : memref<?x?xf32>
  func.return %y : f32
}
