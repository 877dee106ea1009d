// RUN: hologram-run %s --device interpreter --arg 'f32[2x2]=zeros' --arg 'f32[3]=zeros'
// EXIT: 1
// ERROR: axis 0 of finish_in 0 of 'atlas\.gemm' has size 3, that of the out 2
func.func @f(%a: memref<?x?xf32>, %v: memref<?xf32>) {
  atlas.gemm ins(%a, %a : memref<?x?xf32>, memref<?x?xf32>) finish_ins(%v : memref<?xf32>) outs(%a : memref<?x?xf32>)
    maps [affine_map<(d0, d1) -> (d1)>] finish {
  ^bb0(%x: f32, %y: f32):
    atlas.yield %y : f32
  }
  func.return
}
