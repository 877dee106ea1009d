// RUN: hologram-opt %s -t opencl-c
// EXIT: 1
// ERROR: branches between blocks
// ERROR: \[kernel-text-unstructured\]
"gpu.module"() <{sym_name = "kernels"}> ({
  "gpu.func"() <{function_type = (i1) -> ()}> ({
  ^bb0(%c: i1):
    func.call @f(%c) : (i1) -> ()
    "gpu.return"() : () -> ()
  }) {sym_name = "k", gpu.kernel} : () -> ()
  func.func @f(%c: i1) {
    cf.cond_br %c, ^a, ^b
  ^a:
    cf.assert %c, "no"
    func.return
  ^b:
    func.return
  }
}) : () -> ()
