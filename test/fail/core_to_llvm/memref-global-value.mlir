// RUN: hologram-opt %s --disable-verify -p convert-to-llvm
// EXIT: 1
// ERROR: @g is a memref<4xf32>, and its value is a tensor<2xf32>
// ERROR: hint: a global has a static shape

"memref.global"() <{sym_name = "g", type = memref<4xf32>, initial_value = dense<[1.0, 2.0]> : tensor<2xf32>, sym_visibility = "private"}> : () -> ()
func.func @main(%x: memref<4xf32>) {
  %g = memref.get_global @g : memref<4xf32>
  "memref.copy"(%g, %x) : (memref<4xf32>, memref<4xf32>) -> ()
  func.return
}
