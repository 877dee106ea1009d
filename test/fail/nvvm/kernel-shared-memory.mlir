// RUN: hologram-opt %s -p convert-gpu-to-nvvm
// EXIT: 1
// ERROR: the kernel 'k' keeps 400000 bytes of shared memory, and no device has more than \d+ \[kernel-shared-memory\]

"gpu.module"() <{sym_name = "m"}> ({
  "gpu.func"() <{function_type = () -> ()}> ({
  ^bb0(%s: memref<100000xf32, #gpu.address_space<workgroup>>):
    "gpu.return"() : () -> ()
  }) {gpu.kernel, sym_name = "k", workgroup_attributions = 1 : i64} : () -> ()
}) : () -> ()
