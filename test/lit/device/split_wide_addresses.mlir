// RUN: hologram-opt %s -p split-wide-integers,canonicalize,cse | filecheck %s
// RUN: hologram-opt %s -p split-wide-integers{limb=32},canonicalize,cse | filecheck %s --check-prefix SHORT

// An address that is a buffer's and some bytes is a place in that buffer, also in a function that is called with it;
// any other address has limbs behind each other.

// CHECK: gpu.module @kernels
// CHECK-NOT: func.func @read
// CHECK: [[EIGHT:%.*]] = arith.constant 3 : i64
// CHECK: [[NUMBER:%.*]] = arith.shrui %bytes, [[EIGHT]] : i64
// CHECK: [[PLACE:%.*]] = arith.index_cast [[NUMBER]] : i64 to index
// CHECK: memref.load %a[[[PLACE]]] : memref<?xi64>
// CHECK: [[NEXT:%.*]] = arith.addi [[PLACE]], %{{.*}} : index
// CHECK: memref.load %a[[[NEXT]]] : memref<?xi64>
// CHECK-NOT: memref.load
// CHECK: llvm.inttoptr %address : i64 to !llvm.ptr
// CHECK-NEXT: llvm.store {{.*}} : i64, !llvm.ptr
// CHECK: [[AFTER:%.*]] = arith.addi %address, %{{.*}} : i64
// CHECK-NEXT: [[POINTER:%.*]] = llvm.inttoptr [[AFTER]] : i64 to !llvm.ptr
// CHECK-NEXT: llvm.store %{{.*}}, [[POINTER]] {alignment = 1 : i64} : i64, !llvm.ptr

// SHORT: [[FOUR:%.*]] = arith.constant 2 : i32
// SHORT: arith.shrui %bytes, [[FOUR]] : i32
// SHORT-COUNT-4: memref.load {{.*}} : memref<?xi32>
"gpu.module"() <{sym_name = "kernels"}> ({
  func.func @read(%place: i64) -> i128 {
    %p = llvm.inttoptr %place : i64 to !llvm.ptr
    %v = llvm.load %p {alignment = 1 : i64} : !llvm.ptr -> i128
    func.return %v : i128
  }
  "gpu.func"() <{function_type = (memref<?xi128>, i64, i64) -> ()}> ({
  ^bb0(%a: memref<?xi128>, %bytes: i64, %address: i64):
    %start = "memref.extract_aligned_pointer_as_index"(%a) : (memref<?xi128>) -> index
    %base = arith.index_cast %start : index to i64
    %place = arith.addi %base, %bytes : i64
    %v = func.call @read(%place) : (i64) -> i128
    %p = llvm.inttoptr %address : i64 to !llvm.ptr
    llvm.store %v, %p {alignment = 1 : i64} : i128, !llvm.ptr
    "gpu.return"() : () -> ()
  }) {sym_name = "k", gpu.kernel} : () -> ()
}) : () -> ()
