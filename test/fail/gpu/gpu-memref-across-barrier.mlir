// RUN: hologram-opt %s -p convert-gpu-to-scf
// EXIT: 1
// ERROR: :12:7: error: a memref<\?xf32> that differs between lanes lives across a barrier.* \[gpu-memref-across-barrier\]

"builtin.module"() ({
  "gpu.module"() <{sym_name = "m"}> ({
    "gpu.func"() <{function_type = (memref<?xf32>, memref<?xf32>) -> ()}> ({
    ^bb0(%a: memref<?xf32>, %b: memref<?xf32>):
      %t = "gpu.thread_id"() <{dimension = #gpu<dim x>}> : () -> index
      %z = arith.constant 0 : index
      %p = arith.cmpi eq, %t, %z : index
      %x = scf.if %p -> (memref<?xf32>) {
        scf.yield %a : memref<?xf32>
      } else {
        scf.yield %b : memref<?xf32>
      }
      "gpu.barrier"() : () -> ()
      %v = memref.load %x[%t] : memref<?xf32>
      memref.store %v, %a[%t] : memref<?xf32>
      "gpu.return"() : () -> ()
    }) {gpu.kernel, sym_name = "k"} : () -> ()
  }) : () -> ()
}) : () -> ()
