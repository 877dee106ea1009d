// RUN: hologram-opt %s -p convert-gpu-to-rocdl -t amdgcn{arch=gfx941}
// EXIT: 2
// ERROR: there is no architecture 'gfx941' \[amdgcn-architecture\]
// ERROR: did you mean

"gpu.module"() <{sym_name = "m"}> ({
^bb0:
}) : () -> ()
