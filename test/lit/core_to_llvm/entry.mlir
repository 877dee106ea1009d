// RUN: hologram-opt %s -p convert-to-llvm | filecheck %s

// A public function takes pointers, then sizes and strides, then scalars, and says so in its record.

// CHECK-LABEL: llvm.func @scale(
// CHECK-SAME: %a: !llvm.ptr {llvm.noalias, llvm.align = 4 : i64}
// CHECK-SAME: %a_1: i64
// CHECK-SAME: %s: f32
// CHECK-SAME: hologram.entry = "{\22version\22:1,\22name\22:\22scale\22
// CHECK-SAME: \22name\22:\22s\22,\22kind\22:\22scalar\22,\22dtype\22:\22f32\22
// CHECK-SAME: \22shape\22:[null,4],\22strides\22:null,\22access\22:\22readwrite\22
func.func @scale(%s: f32, %a: memref<?x4xf32>, %i: index, %j: index) {
  // CHECK:      [[FOUR:%[0-9]+]] = llvm.mlir.constant(4 : i64) : i64
  // CHECK-NEXT: [[ROW:%[0-9]+]] = llvm.mul %i, [[FOUR]] overflow<nsw, nuw> : i64
  // CHECK-NEXT: [[AT:%[0-9]+]] = llvm.add [[ROW]], %j overflow<nsw, nuw> : i64
  // CHECK-NEXT: [[P:%[0-9]+]] = llvm.getelementptr inbounds|nuw %a[[[AT]]] : (!llvm.ptr, i64) -> !llvm.ptr, f32
  // CHECK-NEXT: %x = llvm.load [[P]] : !llvm.ptr -> f32
  %x = memref.load %a[%i, %j] : memref<?x4xf32>
  // CHECK-NEXT: %y = llvm.fmul %x, %s
  %y = arith.mulf %x, %s : f32
  memref.store %y, %a[%i, %j] : memref<?x4xf32>
  // CHECK: llvm.return
  func.return
}
