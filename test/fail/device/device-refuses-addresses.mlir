// RUN: hologram-opt %s -t wgsl{features=i64}
// EXIT: 1
// ERROR: an address whose buffer is not known
// ERROR: \[device-refuses-addresses\]
"gpu.module"() <{sym_name = "kernels"}> ({
  "gpu.func"() <{function_type = (i64) -> ()}> ({
  ^bb0(%n: i64):
    %p = llvm.inttoptr %n : i64 to !llvm.ptr
    "gpu.return"() : () -> ()
  }) {sym_name = "k", gpu.kernel} : () -> ()
}) : () -> ()
