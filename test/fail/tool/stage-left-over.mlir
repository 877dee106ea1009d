// RUN: hologram-opt %s -p 'hologram-to-cpu{from=clean to=clean}'
// EXIT: 1
// ERROR: stage-left-over.mlir:7:3: error: 'gpu.thread_id' is left after stage 'clean' of hologram-to-cpu
// ERROR: should have removed it

func.func @f() {
  %x = "gpu.thread_id"() <{dimension = #gpu<dim x>}> : () -> index
  "test.op"(%x) : (index) -> ()
  func.return
}
