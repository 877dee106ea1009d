// RUN: hologram-opt %s -p convert-to-llvm | filecheck %s

// What a marked call passes is packed; the call goes through the module's pointer, which leads to a serial function.

// CHECK:       llvm.func internal @hologram_serial(
// CHECK-NEXT:    llvm.call %0(%1, %2, %3)
// CHECK:       llvm.mlir.global weak @hologram_pool() : !llvm.ptr {
// CHECK-NEXT:    [[SERIAL:%.*]] = llvm.mlir.addressof @hologram_serial
// CHECK-NEXT:    llvm.return [[SERIAL]]
// CHECK:       llvm.func internal @f_range(%0: !llvm.ptr, %1: i64, %2: i64)
// CHECK:         llvm.getelementptr inbounds %0[1]
// CHECK:         llvm.call @f(%1, %2, %{{.*}}, %{{.*}}, %{{.*}}) {always_inline} : (i64, i64, i64, !llvm.ptr, f32) -> ()
func.func private @f(%begin: index, %end: index, %work: index, %a: memref<8xf32>, %x: f32) {
  func.return
}
// CHECK-LABEL: llvm.func @main(
// CHECK:         [[CONTEXT:%.*]] = llvm.alloca %{{.*}} x !llvm.array<2 x i64>
// CHECK:         llvm.store %a
// CHECK:         llvm.store %x
// CHECK:         [[PLACE:%.*]] = llvm.mlir.addressof @hologram_pool
// CHECK-NEXT:    [[POOL:%.*]] = llvm.load [[PLACE]]
// CHECK-NEXT:    [[BODY:%.*]] = llvm.mlir.addressof @f_range
// CHECK-NEXT:    llvm.call [[POOL]]([[BODY]], [[CONTEXT]], %
func.func @main(%n: index, %a: memref<8xf32>, %x: f32) {
  %c0 = arith.constant 0 : index
  func.call @f(%c0, %n, %n, %a, %x) {hologram.parallel} : (index, index, index, memref<8xf32>, f32) -> ()
  func.return
}
