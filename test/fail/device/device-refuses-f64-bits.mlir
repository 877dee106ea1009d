// RUN: hologram-opt %s -p 'split-wide-integers{limb=32}'
// EXIT: 1
// ERROR: arith.bitcast is between f64 and i64, and this device's integers have 32 bits
// ERROR: \[device-refuses-f64-bits\]
"gpu.module"() <{sym_name = "kernels"}> ({
  "gpu.func"() <{function_type = (memref<?xf64>, index) -> ()}> ({
  ^bb0(%a: memref<?xf64>, %i: index):
    %v = memref.load %a[%i] : memref<?xf64>
    %w = arith.bitcast %v : f64 to i64
    %one = arith.constant 1 : i64
    %x = arith.addi %w, %one : i64
    %y = arith.bitcast %x : i64 to f64
    memref.store %y, %a[%i] : memref<?xf64>
    "gpu.return"() : () -> ()
  }) {sym_name = "k", gpu.kernel} : () -> ()
}) : () -> ()
