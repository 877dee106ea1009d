// RUN: hologram-run %s --device interpreter --arg 'f32[1x3x4x4]=zeros' --arg 'f32[2x2x1x1]=zeros' --arg 'f32[1x2x4x4]=zeros'
// EXIT: 1
// ERROR: 3 channels and 2 filters of 2 do not make 1 groups
func.func @f(%x: memref<?x?x?x?xf32>, %w: memref<?x?x?x?xf32>, %y: memref<?x?x?x?xf32>) {
  atlas.conv2d ins(%x, %w : memref<?x?x?x?xf32>, memref<?x?x?x?xf32>) outs(%y : memref<?x?x?x?xf32>)
  func.return
}
