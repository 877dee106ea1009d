// RUN: hologram-opt %s -p 'split-wide-integers{limb=48}'
// EXIT: 2
// ERROR: is 32 or 64, not 48
// ERROR: \[split-limb\]
"gpu.module"() <{sym_name = "kernels"}> ({
  "gpu.func"() <{function_type = () -> ()}> ({
  ^bb0():

    "gpu.return"() : () -> ()
  }) {sym_name = "k", gpu.kernel} : () -> ()
}) : () -> ()
