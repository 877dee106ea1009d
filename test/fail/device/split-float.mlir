// RUN: hologram-opt %s -p 'split-wide-integers'
// EXIT: 1
// ERROR: between floats and integers of 128 bits
// ERROR: \[split-float\]
"gpu.module"() <{sym_name = "kernels"}> ({
  "gpu.func"() <{function_type = (memref<?xi128>, index) -> ()}> ({
  ^bb0(%a: memref<?xi128>, %i: index):
    %v = memref.load %a[%i] : memref<?xi128>
    %w = arith.uitofp %v : i128 to f32
    "gpu.return"() : () -> ()
  }) {sym_name = "k", gpu.kernel} : () -> ()
}) : () -> ()
