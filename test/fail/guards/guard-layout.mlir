// RUN: hologram-run %s
// EXIT: 1
// ERROR: 'memref.load' is on a .*, whose layout has no strides to check
// ERROR: hint: .*--unsafe-memory

func.func private @inner(%x: memref<8xf32, affine_map<(d0) -> (d0 floordiv 2)>>) -> f32 {
  %c0 = arith.constant 0 : index
  %v = memref.load %x[%c0] : memref<8xf32, affine_map<(d0) -> (d0 floordiv 2)>>
  func.return %v : f32
}

func.func @main(%x: memref<?xf32>) {
  func.return
}
