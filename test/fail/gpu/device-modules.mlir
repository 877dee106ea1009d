// RUN: hologram-opt %s -p gpu-module-to-binary{format=mlir}
// EXIT: 1
// ERROR: there are several gpu.modules, and a program has one
"gpu.module"() <{sym_name = "m"}> ({
^bb0:
}) {hologram.kernels = "[]"} : () -> ()
"gpu.module"() <{sym_name = "n"}> ({
^bb0:
}) {hologram.kernels = "[]"} : () -> ()
