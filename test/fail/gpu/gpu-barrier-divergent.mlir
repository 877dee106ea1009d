// RUN: hologram-opt %s -p convert-gpu-to-scf
// EXIT: 1
// ERROR: :12:9: error: the barrier is not reached by all lanes alike: the condition of the scf.if at line 11.* \[gpu-barrier-divergent\]

"builtin.module"() ({
  "gpu.module"() <{sym_name = "m"}> ({
    "gpu.func"() <{function_type = () -> ()}> ({
      %t = "gpu.thread_id"() <{dimension = #gpu<dim x>}> : () -> index
      %c = arith.constant 4 : index
      %p = arith.cmpi ult, %t, %c : index
      scf.if %p {
        "gpu.barrier"() : () -> ()
      }
      "gpu.return"() : () -> ()
    }) {gpu.kernel, sym_name = "k"} : () -> ()
  }) : () -> ()
}) : () -> ()
