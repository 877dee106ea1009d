// RUN: hologram-opt %s -p gpu-module-to-binary{format=mlir}
// EXIT: 1
// ERROR: 'gpu.module' does not say what its kernels take
"gpu.module"() <{sym_name = "m"}> ({
^bb0:
}) : () -> ()
