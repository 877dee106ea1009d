// RUN: hologram-opt %s -p convert-gpu-to-scf
// EXIT: 1
// ERROR: :11:7: error: the lane's buffer .* lives across a barrier and its elements have gaps .*\[gpu-private-layout\]

"builtin.module"() ({
  "gpu.module"() <{sym_name = "m"}> ({
    func.func private @f(memref<4xf32, strided<[2]>>)
    "gpu.func"() <{function_type = (f32) -> ()}> ({
    ^bb0(%f: f32):
      %t = "gpu.thread_id"() <{dimension = #gpu<dim x>}> : () -> index
      %x = memref.alloca() : memref<4xf32, strided<[2]>>
      memref.store %f, %x[%t] : memref<4xf32, strided<[2]>>
      "gpu.barrier"() : () -> ()
      func.call @f(%x) : (memref<4xf32, strided<[2]>>) -> ()
      "gpu.return"() : () -> ()
    }) {gpu.kernel, sym_name = "k"} : () -> ()
  }) : () -> ()
}) : () -> ()
