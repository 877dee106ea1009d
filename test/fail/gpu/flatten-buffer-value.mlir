// RUN: hologram-opt %s -p flatten-kernels
// EXIT: 1
// ERROR: 'memref.store' uses a buffer here that a branch, a loop or a call chooses
"gpu.module"() <{sym_name = "m"}> ({
  func.func @pick(%a: memref<8xf32>) -> memref<8xf32>
  "gpu.func"() <{function_type = (memref<8xf32>) -> ()}> ({
  ^bb0(%a: memref<8xf32>):
    %c0 = arith.constant 0 : index
    %v = arith.constant 1.0 : f32
    %b = func.call @pick(%a) : (memref<8xf32>) -> memref<8xf32>
    memref.store %v, %b[%c0] : memref<8xf32>
    "gpu.return"() : () -> ()
  }) {sym_name = "k", gpu.kernel} : () -> ()
}) : () -> ()
