// RUN: hologram-opt %s | filecheck %s
// RUN: hologram-opt %s -p convert-to-llvm | filecheck %s --check-prefix LLVM
// RUN: hologram-opt %s -p 'vectorize-loops{vector-bytes=64}' | filecheck %s --check-prefix LINES

// An index may lie outside, so the address promises nothing; of 32 lanes that take two lines, two are prefetched.

// CHECK:       memref.prefetch %a[%i, %j], read, locality<1>, data : memref<?x8xf64>
// CHECK-NEXT:  memref.prefetch %a[%j, %i], write, locality<3>, instr : memref<?x8xf64>
// LLVM-LABEL:  llvm.func @two
// LLVM:        %[[P:.*]] = llvm.getelementptr %a[%{{.*}}] : (!llvm.ptr, i64) -> !llvm.ptr, f64
// LLVM-NEXT:   "llvm.intr.prefetch"(%[[P]]) <{rw = 0 : i32, hint = 1 : i32, cache = 1 : i32}>
// LLVM:        "llvm.intr.prefetch"(%{{.*}}) <{rw = 1 : i32, hint = 3 : i32, cache = 0 : i32}>
func.func @two(%a: memref<?x8xf64>, %i: index, %j: index) {
  memref.prefetch %a[%i, %j], read, locality<1>, data : memref<?x8xf64>
  memref.prefetch %a[%j, %i], write, locality<3>, instr : memref<?x8xf64>
  func.return
}

// LINES-LABEL: func.func @ahead
// LINES:         scf.for %[[I:.*]] =
// LINES:           memref.prefetch %a[%[[AT:.*]]], read, locality<1>, data : memref<?xf32>
// LINES:           %[[C:.*]] = arith.constant 16 : index
// LINES:           %[[NEXT:.*]] = arith.addi %[[AT]], %[[C]] : index
// LINES:           memref.prefetch %a[%[[NEXT]]], read, locality<1>, data : memref<?xf32>
func.func @ahead(%a: memref<?xf32>, %b: memref<?xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c9 = arith.constant 9 : index
  scf.for %i = %c0 to %n step %c1 {
    %j = arith.addi %i, %c9 : index
    memref.prefetch %a[%j], read, locality<1>, data : memref<?xf32>
    %x = memref.load %a[%i] : memref<?xf32>
    memref.store %x, %b[%i] : memref<?xf32>
  } {hologram.vectorize}
  func.return
}
