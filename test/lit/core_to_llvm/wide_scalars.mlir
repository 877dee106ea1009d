// RUN: hologram-opt %s -p convert-to-llvm | filecheck %s

// A scalar of more than 64 bits is passed by a pointer to its limbs; a caller puts it there.
// CHECK-LABEL: llvm.func @store(%r: !llvm.ptr
// CHECK-SAME: %s: !llvm.ptr {llvm.nonnull, llvm.align = 8 : i64}
// CHECK: %[[S:.*]] = llvm.load %s {alignment = 8 : i64} : !llvm.ptr -> i256
// CHECK: llvm.store %[[S]]
func.func @store(%s: i256, %r: memref<1xi256>) {
  %c0 = arith.constant 0 : index
  memref.store %s, %r[%c0] : memref<1xi256>
  func.return
}

// CHECK-LABEL: llvm.func @main
// CHECK: %[[PLACE:.*]] = llvm.alloca %{{.*}} x i256 {alignment = 8 : i64}
// CHECK: llvm.store %{{.*}}, %[[PLACE]] {alignment = 8 : i64} : i256, !llvm.ptr
// CHECK: llvm.call @store(%r, %[[PLACE]])
func.func @main(%s: i256, %r: memref<1xi256>) {
  func.call @store(%s, %r) : (i256, memref<1xi256>) -> ()
  func.return
}
