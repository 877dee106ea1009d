// RUN: hologram-opt %s -p schedule-atlas
// EXIT: 1
// ERROR: :7:3: error: there is no schedule for 'atlas.copy' on cpu \[schedule-missing\]
// ERROR: hint: run generalize-atlas first

func.func @f(%a: memref<?xf32>, %b: memref<?xf32>) {
  atlas.copy ins(%a : memref<?xf32>) outs(%b : memref<?xf32>)
  func.return
}
