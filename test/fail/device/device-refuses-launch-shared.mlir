// RUN: hologram-opt %s -t wgsl
// EXIT: 1
// ERROR: a size that the launch chooses
// ERROR: \[device-refuses-launch-shared\]
"gpu.module"() <{sym_name = "kernels"}> ({
  "gpu.func"() <{function_type = () -> ()}> ({
  ^bb0():
    %m = "gpu.dynamic_shared_memory"() : () -> memref<?xi8, #gpu.address_space<workgroup>>
    "gpu.return"() : () -> ()
  }) {sym_name = "k", gpu.kernel} : () -> ()
}) : () -> ()
