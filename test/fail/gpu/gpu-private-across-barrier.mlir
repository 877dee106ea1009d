// RUN: hologram-opt %s -p convert-gpu-to-scf
// EXIT: 1
// ERROR: :14:7: error: 'func.call' uses a lane's buffer that lives across a barrier.* \[gpu-private-across-barrier\]

"builtin.module"() ({
  "gpu.module"() <{sym_name = "m"}> ({
    func.func private @f(memref<4xf32>)
    "gpu.func"() <{function_type = (f32) -> ()}> ({
    ^bb0(%f: f32):
      %t = "gpu.thread_id"() <{dimension = #gpu<dim x>}> : () -> index
      %x = memref.alloca() : memref<4xf32>
      memref.store %f, %x[%t] : memref<4xf32>
      "gpu.barrier"() : () -> ()
      func.call @f(%x) : (memref<4xf32>) -> ()
      "gpu.return"() : () -> ()
    }) {gpu.kernel, sym_name = "k"} : () -> ()
  }) : () -> ()
}) : () -> ()
