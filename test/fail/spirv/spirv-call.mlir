// RUN: hologram-opt %s -p convert-gpu-to-spirv
// EXIT: 1
// ERROR: 'other' is no function of the module
"gpu.module"() <{sym_name = "m"}> ({
  func.func private @other()
  "gpu.func"() <{function_type = (index) -> ()}> ({
  ^bb0(%i: index):
    func.call @other() : () -> ()
    "gpu.return"() : () -> ()
  }) {sym_name = "k", gpu.kernel} : () -> ()
}) : () -> ()
