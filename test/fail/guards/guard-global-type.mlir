// RUN: hologram-opt %s --disable-verify -p guard-memory
// EXIT: 1
// ERROR: 'memref.get_global' takes @table as a memref<1000xf32>, which it is not
// ERROR: hint: .*take it as it is

"memref.global"() <{sym_name = "table", sym_visibility = "private", type = memref<4xf32>, initial_value = dense<1.0> : tensor<4xf32>, constant}> : () -> ()

func.func @main(%x: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = memref.get_global @table : memref<1000xf32>
  %e = memref.load %x[%c0] : memref<?xf32>
  memref.store %e, %m[%c0] : memref<1000xf32>
  func.return
}
