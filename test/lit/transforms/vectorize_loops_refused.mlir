// RUN: hologram-opt %s -p vectorize-loops | filecheck %s

// Loops with strides, checks or integer division stay as they are; the mark goes away.
func.func @stays(%a: memref<?x?xi32>, %s: memref<?xi32, strided<[?]>>, %b: memref<?xi32>, %n: index, %ok: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // CHECK-NOT: vector.
  // CHECK-NOT: hologram.vectorize
  // CHECK:     memref.load %a[%i, %c0]
  scf.for %i = %c0 to %n step %c1 {
    %x = memref.load %a[%i, %c0] : memref<?x?xi32>
    memref.store %x, %b[%i] : memref<?xi32>
  } {hologram.vectorize}
  // CHECK:     memref.load %s
  scf.for %i = %c0 to %n step %c1 {
    %x = memref.load %s[%i] : memref<?xi32, strided<[?]>>
    memref.store %x, %b[%i] : memref<?xi32>
  } {hologram.vectorize}
  // CHECK:     cf.assert
  scf.for %i = %c0 to %n step %c1 {
    cf.assert %ok, "no"
    %x = memref.load %b[%i] : memref<?xi32>
    memref.store %x, %b[%i] : memref<?xi32>
  } {hologram.vectorize}
  // CHECK:     arith.divsi %x{{.*}} : i32
  scf.for %i = %c0 to %n step %c1 {
    %x = memref.load %b[%i] : memref<?xi32>
    %y = arith.divsi %x, %x : i32
    memref.store %y, %b[%i] : memref<?xi32>
  } {hologram.vectorize}
  func.return
}
