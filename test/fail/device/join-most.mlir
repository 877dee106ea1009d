// RUN: hologram-opt %s -p 'join-buffers{most=3}'
// EXIT: 2
// ERROR: is at least 4, not 3
// ERROR: \[join-most\]
"gpu.module"() <{sym_name = "kernels"}> ({
  "gpu.func"() <{function_type = () -> ()}> ({
  ^bb0():

    "gpu.return"() : () -> ()
  }) {sym_name = "k", gpu.kernel} : () -> ()
}) : () -> ()
