// RUN: hologram-opt %s -p convert-gpu-to-nvvm
// EXIT: 1
// ERROR: gpu.dynamic_shared_memory stands in a device function.* \[shared-memory-outside-kernel\]

"gpu.module"() <{sym_name = "m"}> ({
  func.func private @f() {
    %s = "gpu.dynamic_shared_memory"() : () -> memref<?xi8, #gpu.address_space<workgroup>>
    func.return
  }
}) : () -> ()
