// RUN: hologram-opt %s -p schedule-atlas{target=gpu}
// EXIT: 1
// ERROR: schedule-tile.mlir:[0-9]+:3: error: a tile of 100 x 128 in steps of 8 is not cut evenly by threads of 8 x 8 \[schedule-tile\]
// ERROR: take powers of two
func.func @product(%a: memref<?x?xf32>, %b: memref<?x?xf32>, %c: memref<?x?xf32>) {
  atlas.gemm ins(%a, %b : memref<?x?xf32>, memref<?x?xf32>) outs(%c : memref<?x?xf32>) {schedule = {rows = 100 : i64}}
  func.return
}
