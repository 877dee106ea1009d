// RUN: hologram-opt %s -t opencl-c
// EXIT: 1
// ERROR: calls itself
// ERROR: \[device-refuses-recursion\]
"gpu.module"() <{sym_name = "kernels"}> ({
  "gpu.func"() <{function_type = () -> ()}> ({
  ^bb0():
    func.call @f() : () -> ()
    "gpu.return"() : () -> ()
  }) {sym_name = "k", gpu.kernel} : () -> ()
  func.func @f() {
    func.call @f() : () -> ()
    func.return
  }
}) : () -> ()
