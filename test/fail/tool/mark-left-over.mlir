// RUN: hologram-opt %s -p 'hologram-to-cpu{from=clean to=clean}'
// EXIT: 1
// ERROR: mark-left-over.mlir:10:3: error: the mark 'hologram.vectorize' is left on 'scf.for' after stage 'clean' of hologram-to-cpu
// ERROR: vectorize-loops should have removed it

func.func @f(%x: memref<4xf32>, %v: f32) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %end = arith.constant 4 : index
  scf.for %i = %zero to %end step %one {
    memref.store %v, %x[%i] : memref<4xf32>
  } {hologram.vectorize}
  func.return
}
