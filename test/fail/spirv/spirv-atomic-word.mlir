// RUN: hologram-opt %s -p convert-gpu-to-spirv
// EXIT: 1
// ERROR: 'llvm.atomicrmw' with 'fmax' has no lowering to spirv
"gpu.module"() <{sym_name = "m"}> ({
  "gpu.func"() <{function_type = (i64, f32) -> ()}> ({
  ^bb0(%i: i64, %v: f32):
    %p = llvm.inttoptr %i : i64 to !llvm.ptr
    %0 = llvm.atomicrmw fmax %p, %v monotonic : !llvm.ptr, f32
    "gpu.return"() : () -> ()
  }) {sym_name = "k", gpu.kernel} : () -> ()
}) : () -> ()
