// RUN: hologram-opt %s -p convert-gpu-to-scf
// EXIT: 1
// ERROR: :12:9: error: a buffer that the lanes of a block share is declared where single lanes come.* \[gpu-shared-in-lane\]

"builtin.module"() ({
  "gpu.module"() <{sym_name = "m"}> ({
    "gpu.func"() <{function_type = () -> ()}> ({
      %t = "gpu.thread_id"() <{dimension = #gpu<dim x>}> : () -> index
      %z = arith.constant 0 : index
      %p = arith.cmpi eq, %t, %z : index
      scf.if %p {
        %s = memref.alloca() : memref<4xf32, #gpu.address_space<workgroup>>
      }
      "gpu.return"() : () -> ()
    }) {gpu.kernel, sym_name = "k"} : () -> ()
  }) : () -> ()
}) : () -> ()
