// RUN: hologram-run %s
// EXIT: 1
// ERROR: what 'memref.alloca' makes, a memref<100000xf32>, leaves the block that it is in
// ERROR: hint: .*--unsafe-memory

func.func @main(%b: i1, %x: memref<100000xf32>) {
  %c0 = arith.constant 0 : index
  %m = scf.if %b -> (memref<100000xf32>) {
    %a = memref.alloca() : memref<100000xf32>
    scf.yield %a : memref<100000xf32>
  } else {
    scf.yield %x : memref<100000xf32>
  }
  %v = memref.load %m[%c0] : memref<100000xf32>
  memref.store %v, %x[%c0] : memref<100000xf32>
  func.return
}
