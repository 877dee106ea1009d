// RUN: hologram-opt %s -p 'hologram-to-cpu{from=clean to=clean}'
// EXIT: 1
// ERROR: mark-type.mlir:6:1: error: the mark 'hologram.name' of an argument of 'func.func' is 3 : i64 after stage 'clean'
// ERROR: it must be of the kind string

func.func @f(%x: memref<4xf32> {hologram.name = 3 : i64}) {
  func.return
}
