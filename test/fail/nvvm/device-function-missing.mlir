// RUN: hologram-opt %s -p convert-gpu-to-nvvm
// EXIT: 1
// ERROR: device code calls @f, which has no body here \[device-function-missing\]

"gpu.module"() <{sym_name = "m"}> ({
  func.func private @f()
}) : () -> ()
