// RUN: hologram-opt %s -p 'split-wide-integers'
// EXIT: 1
// ERROR: multiplies integers of 2048 bits
// ERROR: \[device-refuses-product\]
"gpu.module"() <{sym_name = "kernels"}> ({
  "gpu.func"() <{function_type = (memref<?xi2048>, index) -> ()}> ({
  ^bb0(%a: memref<?xi2048>, %i: index):
    %v = memref.load %a[%i] : memref<?xi2048>
    %w = arith.muli %v, %v : i2048
    "gpu.return"() : () -> ()
  }) {sym_name = "k", gpu.kernel} : () -> ()
}) : () -> ()
