// RUN: hologram-opt %s -p convert-parallel-loops-to-gpu | filecheck %s

// What decides whether something is launched is read by the host, once what computes it has been launched.

// CHECK-LABEL: func.func @launches
// CHECK:       gpu.launch
// CHECK:         memref.store %{{.*}}, %p[] : memref<i1>
// CHECK:         gpu.terminator
// CHECK:       [[C:%.*]] = memref.load %p[] {hologram.read} : memref<i1>
// CHECK-NEXT:  scf.if [[C]] {
// CHECK:         gpu.launch
func.func @launches(%x: memref<64xf32>, %p: memref<i1>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %zero = arith.constant 0.0 : f32
  %v = memref.load %x[%c0] : memref<64xf32>
  %b = arith.cmpf olt, %v, %zero : f32
  memref.store %b, %p[] : memref<i1>
  %c = memref.load %p[] {hologram.read} : memref<i1>
  scf.if %c {
    "scf.parallel"(%c0, %c64, %c1) <{operandSegmentSizes = array<i32: 1, 1, 1, 0>}> ({
    ^bb0(%i: index):
      memref.store %zero, %x[%i] : memref<64xf32>
      scf.reduce
    }) : (index, index, index) -> ()
  }
  func.return
}

// Where nothing is launched by it, one thread decides, and nobody waits.

// CHECK-LABEL: func.func @decides
// CHECK:       gpu.launch
// CHECK-NOT:     hologram.read
// CHECK:         scf.if
// CHECK:         gpu.terminator
func.func @decides(%x: memref<64xf32>, %p: memref<i1>) {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %c = memref.load %p[] {hologram.read} : memref<i1>
  scf.if %c {
    memref.store %zero, %x[%c0] : memref<64xf32>
  }
  func.return
}
