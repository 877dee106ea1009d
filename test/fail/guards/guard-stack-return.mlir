// RUN: hologram-run %s
// EXIT: 1
// ERROR: gives a memref<4xf32> on the stack, which is gone then
// ERROR: hint: .*make it by memref.alloc

func.func private @give() -> memref<4xf32> {
  %m = memref.alloca() : memref<4xf32>
  func.return %m : memref<4xf32>
}

func.func @main(%x: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = func.call @give() : () -> memref<4xf32>
  %e = memref.load %m[%c0] : memref<4xf32>
  memref.store %e, %x[%c0] : memref<?xf32>
  func.return
}
