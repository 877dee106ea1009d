// RUN: hologram-run %s --device interpreter --arg 'f32[2x3]=zeros' --arg 'f32[4x2]=zeros' --arg 'f32[2x2]=zeros'
// EXIT: 1
// ERROR: shapes \(2, 3\) and \(4, 2\) do not multiply in 'atlas\.gemm'
func.func @f(%a: memref<?x?xf32>, %b: memref<?x?xf32>, %c: memref<?x?xf32>) {
  atlas.gemm ins(%a, %b : memref<?x?xf32>, memref<?x?xf32>) outs(%c : memref<?x?xf32>)
  func.return
}
