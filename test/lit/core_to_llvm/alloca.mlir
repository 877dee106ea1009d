// RUN: hologram-opt %s -p convert-scf-to-cf,convert-to-llvm | filecheck %s

// Stack memory of known size is taken once, in the entry block; heap memory starts at a cache line.

// CHECK: llvm.func @aligned_alloc(i64, i64) -> !llvm.ptr
// CHECK: llvm.func @free(!llvm.ptr)
// CHECK-LABEL: llvm.func internal @f(
// CHECK-NEXT:    [[ONE:%[0-9]+]] = llvm.mlir.constant(1 : i64) : i64
// CHECK-NEXT:    %s = llvm.alloca [[ONE]] x !llvm.array<32 x f32> {alignment = 64 : i64} : (i64) -> !llvm.ptr
func.func private @f(%n: index, %x: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // CHECK: llvm.br
  scf.for %i = %c0 to %n step %c1 {
    %s = memref.alloca() : memref<4x8xf32>
    // CHECK: llvm.getelementptr inbounds|nuw %s
    memref.store %x, %s[%c1, %i] : memref<4x8xf32>
  }
  // CHECK: [[LINE:%[0-9]+]] = llvm.mlir.constant(64 : i64) : i64
  // CHECK: %h = llvm.call @aligned_alloc([[LINE]], [[BYTES:%[0-9]+]]) : (i64, i64) -> !llvm.ptr
  %h = memref.alloc(%n) : memref<?xf64>
  // CHECK-NEXT: llvm.call @free(%h) : (!llvm.ptr) -> ()
  memref.dealloc %h : memref<?xf64>
  func.return
}
