// RUN: hologram-opt %s -t opencl-c
// EXIT: 1
// ERROR: math.exp has no form in OpenCL C
// ERROR: \[kernel-text-op\]
"gpu.module"() <{sym_name = "kernels"}> ({
  "gpu.func"() <{function_type = (f32) -> ()}> ({
  ^bb0(%x: f32):
    %v = math.exp %x : f32
    "gpu.return"() : () -> ()
  }) {sym_name = "k", gpu.kernel} : () -> ()
}) : () -> ()
