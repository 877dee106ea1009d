// RUN: hologram-opt %s -p gpu-module-to-binary{format=mlirr}
// EXIT: 2
// ERROR: there is no format 'mlirr' of device code
// ERROR: did you mean 'mlir'
"gpu.module"() <{sym_name = "m"}> ({
^bb0:
}) : () -> ()
