// RUN: hologram-opt %s -p 'hologram-to-cpu{from=clean to=clean}'
// EXIT: 1
// ERROR: stage-foreign-op.mlir:6:3: error: 'test.op' is no operation that hologram-to-cpu takes

func.func @f(%x: index) {
  "test.op"(%x) : (index) -> ()
  func.return
}
