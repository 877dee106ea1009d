// RUN: hologram-opt %s -p convert-gpu-to-scf
// EXIT: 1
// ERROR: :10:7: error: the lane's buffer memref<\?xf32> lives across a barrier and its size is not constant.* \[gpu-private-dynamic\]

"builtin.module"() ({
  "gpu.module"() <{sym_name = "m"}> ({
    "gpu.func"() <{function_type = (memref<?xf32>, index, f32) -> ()}> ({
    ^bb0(%a: memref<?xf32>, %n: index, %f: f32):
      %t = "gpu.thread_id"() <{dimension = #gpu<dim x>}> : () -> index
      %x = memref.alloca(%n) : memref<?xf32>
      memref.store %f, %x[%t] : memref<?xf32>
      "gpu.barrier"() : () -> ()
      %v = memref.load %x[%t] : memref<?xf32>
      memref.store %v, %a[%t] : memref<?xf32>
      "gpu.return"() : () -> ()
    }) {gpu.kernel, sym_name = "k"} : () -> ()
  }) : () -> ()
}) : () -> ()
