// RUN: hologram-opt %s -p addresses-to-bytes,canonicalize,cse | filecheck %s

// What is at an address in an array of bytes is put together from them; what is elsewhere stays.

// CHECK-LABEL: gpu.module @kernels
// CHECK:         %[[SHORT:.*]] = arith.trunci %n : i64 to i32
// CHECK:         %[[PLACE:.*]] = arith.index_cast %[[SHORT]] : i32 to index
// CHECK:         %[[NEXT:.*]] = arith.addi %[[PLACE]], %{{.*}} : index
// CHECK:         memref.load %bytes[%[[PLACE]]] : memref<?xi8>
// CHECK:         memref.load %bytes[%[[NEXT]]] : memref<?xi8>
// CHECK:         %[[WORD:.*]] = arith.ori %{{.*}}, %{{.*}} : i16
// CHECK:         %[[LOW:.*]] = arith.trunci %[[WORD]] : i16 to i8
// CHECK:         memref.store %[[LOW]], %bytes[%[[PLACE]]] : memref<?xi8>
// CHECK:         llvm.load
// CHECK:         arith.bitcast %{{.*}} : f16 to i16
"gpu.module"() <{sym_name = "kernels"}> ({
  func.func private @read(%address: i64) -> f16 {
    %pointer = llvm.inttoptr %address : i64 to !llvm.ptr
    %x = llvm.load %pointer : !llvm.ptr -> f16
    func.return %x : f16
  }
  "gpu.func"() <{function_type = (memref<?xi8>, i64, i64) -> ()}> ({
  ^bb0(%bytes: memref<?xi8>, %n: i64, %elsewhere: i64):
    %start = "memref.extract_aligned_pointer_as_index"(%bytes) : (memref<?xi8>) -> index
    %base = arith.index_cast %start : index to i64
    %address = arith.addi %base, %n : i64
    %x = func.call @read(%address) : (i64) -> f16
    %pointer = llvm.inttoptr %address : i64 to !llvm.ptr
    llvm.store %x, %pointer : f16, !llvm.ptr
    %y = func.call @read(%elsewhere) : (i64) -> f16
    llvm.store %y, %pointer : f16, !llvm.ptr
    "gpu.return"() : () -> ()
  }) {sym_name = "k", gpu.kernel} : () -> ()
}) : () -> ()
