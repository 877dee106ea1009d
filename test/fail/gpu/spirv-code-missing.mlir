// RUN: hologram-opt %s -p gpu-module-to-binary{format=spirv}
// EXIT: 1
// ERROR: there is no spirv.module behind this gpu.module
"gpu.module"() <{sym_name = "m"}> ({
^bb0:
}) {hologram.kernels = "[]"} : () -> ()
