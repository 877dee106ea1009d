// RUN: hologram-opt %s -p convert-gpu-to-nvvm -t ptx{arch=sm_91}
// EXIT: 2
// ERROR: there is no architecture 'sm_91' \[ptx-architecture\]
// ERROR: did you mean

"gpu.module"() <{sym_name = "m"}> ({
^bb0:
}) : () -> ()
