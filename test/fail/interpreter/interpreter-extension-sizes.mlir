// RUN: hologram-run %s --device interpreter --arg 'f32[4]=zeros' --arg 'f32[5]=zeros'
// EXIT: 1
// ERROR: axis 0 of in 0 of 'atlas\.scan' has size 4, but axis 0 of out 0 has size 5
func.func @f(%a: memref<?xf32>, %b: memref<?xf32>) {
  atlas.scan ins(%a : memref<?xf32>) outs(%b : memref<?xf32>)
    {axis = 0, kind = #atlas.kind<add>, type = #atlas.dtype<f32>}
  func.return
}
