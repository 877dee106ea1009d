// RUN: hologram-opt %s -p 'hologram-to-cpu{from=clean to=clean}'
// EXIT: 1
// ERROR: mark-misplaced.mlir:6:1: error: the mark 'hologram.parallel' can't stand on an argument of 'func.func', as it does after stage 'clean'
// ERROR: it stands on func.call; it comes from outline-parallel-loops

func.func @f(%x: memref<4xf32> {hologram.parallel}) {
  func.return
}
