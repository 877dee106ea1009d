// RUN: hologram-run %s --device interpreter --arg 'f32[4]=zeros' --arg 'f32[5]=zeros'
// EXIT: 1
// ERROR: axis 0 of operand 1 of 'atlas\.map' has size 5, but its indexing map reaches from 0 to 3
func.func @f(%a: memref<?xf32>, %b: memref<?xf32>) {
  atlas.map ins(%a : memref<?xf32>) outs(%b : memref<?xf32>)
    maps [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>] {
  ^bb0(%x: f32):
    atlas.yield %x : f32
  }
  func.return
}
