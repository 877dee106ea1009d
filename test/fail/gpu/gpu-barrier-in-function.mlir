// RUN: hologram-opt %s -p convert-gpu-to-scf
// EXIT: 1
// ERROR: :8:7: error: the barrier is inside a function that lanes call.* \[gpu-barrier-in-function\]

"builtin.module"() ({
  "gpu.module"() <{sym_name = "m"}> ({
    func.func @f() {
      "gpu.barrier"() : () -> ()
      func.return
    }
    "gpu.func"() <{function_type = () -> ()}> ({
      func.call @f() : () -> ()
      "gpu.return"() : () -> ()
    }) {gpu.kernel, sym_name = "k"} : () -> ()
  }) : () -> ()
}) : () -> ()
