// RUN: hologram-opt %s -p convert-gpu-to-scf
// EXIT: 1
// ERROR: :11:9: error: the barrier is inside a scf.index_switch.* \[gpu-barrier-in-op\]

"builtin.module"() ({
  "gpu.module"() <{sym_name = "m"}> ({
    "gpu.func"() <{function_type = () -> ()}> ({
      %c = arith.constant 1 : index
      scf.index_switch %c
      case 1 {
        "gpu.barrier"() : () -> ()
        scf.yield
      }
      default {
        scf.yield
      }
      "gpu.return"() : () -> ()
    }) {gpu.kernel, sym_name = "k"} : () -> ()
  }) : () -> ()
}) : () -> ()
