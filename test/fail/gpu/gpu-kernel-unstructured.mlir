// RUN: hologram-opt %s -p convert-gpu-to-scf
// EXIT: 1
// ERROR: :7:5: error: the kernel 'k' has branches between blocks.* \[gpu-kernel-unstructured\]

"builtin.module"() ({
  "gpu.module"() <{sym_name = "m"}> ({
    "gpu.func"() <{function_type = () -> ()}> ({
      "cf.br"() [^bb1] : () -> ()
      ^bb1:
      "gpu.return"() : () -> ()
    }) {gpu.kernel, sym_name = "k"} : () -> ()
  }) : () -> ()
}) : () -> ()
