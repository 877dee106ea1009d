// RUN: hologram-opt %s -p flatten-kernels | filecheck %s

// Indices that were widened are compared as indices, also with constants that every index may be.

"gpu.module"() <{sym_name = "m"}> ({
  "gpu.func"() <{function_type = (memref<?xi1>) -> (), known_block_size = array<i32: 1, 1, 1>}> ({
  ^bb0(%out: memref<?xi1>):
    %i = "gpu.thread_id"() <{dimension = #gpu<dim x>}> : () -> index
    %w = arith.index_cast %i : index to i64
    %one = arith.constant 1 : i64
    %minus = arith.constant -1 : i64
    %large = arith.constant 4294967296 : i64
    %a = arith.cmpi sge, %w, %one : i64
    memref.store %a, %out[%i] : memref<?xi1>
    %b = arith.cmpi ugt, %w, %minus : i64
    memref.store %b, %out[%i] : memref<?xi1>
    %c = arith.cmpi slt, %w, %large : i64
    memref.store %c, %out[%i] : memref<?xi1>
    %d = arith.cmpi ult, %w, %w : i64
    memref.store %d, %out[%i] : memref<?xi1>
    "gpu.return"() : () -> ()
  }) {sym_name = "k", gpu.kernel} : () -> ()
}) : () -> ()

// CHECK:      %[[ONE:.*]] = arith.constant 1 : index
// CHECK-NEXT: arith.cmpi sge, %i, %[[ONE]] : index
// CHECK:      arith.cmpi ugt, %w, %minus : i64
// CHECK:      arith.cmpi slt, %w, %large : i64
// CHECK:      arith.cmpi ult, %i, %i : index
