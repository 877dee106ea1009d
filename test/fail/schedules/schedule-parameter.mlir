// RUN: hologram-opt %s -p schedule-atlas
// EXIT: 1
// ERROR: :7:3: error: the schedule of 'atlas.softmax' has no parameter 'tyle' \[schedule-parameter\]
// ERROR: hint: did you mean 'tile'

func.func @f(%a: memref<?xf32>, %b: memref<?xf32>) {
  atlas.softmax ins(%a : memref<?xf32>) outs(%b : memref<?xf32>) {axis = 0 : i64, schedule = {tyle = 3 : i64}}
  func.return
}
