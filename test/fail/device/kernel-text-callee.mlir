// RUN: hologram-opt %s -t opencl-c
// EXIT: 1
// ERROR: the function 'f' has no body
// ERROR: \[kernel-text-callee\]
"gpu.module"() <{sym_name = "kernels"}> ({
  "gpu.func"() <{function_type = () -> ()}> ({
  ^bb0():
    func.call @f() : () -> ()
    "gpu.return"() : () -> ()
  }) {sym_name = "k", gpu.kernel} : () -> ()
  func.func private @f()
}) : () -> ()
