// RUN: hologram-opt %s -p convert-atlas-to-core
// EXIT: 1
// ERROR: :7:3: error: 'atlas.copy' is an array-level instruction.* \[core-array-level\]
// ERROR: hint: run schedule-atlas first

func.func @f(%a: memref<?xf32>, %b: memref<?xf32>) {
  atlas.copy ins(%a : memref<?xf32>) outs(%b : memref<?xf32>)
  func.return
}
