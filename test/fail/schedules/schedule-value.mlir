// RUN: hologram-opt %s -p schedule-atlas
// EXIT: 1
// ERROR: :6:3: error: parameter 'tile' of the schedule of 'atlas.softmax' must be a positive integer, found 0.* \[schedule-value\]

func.func @f(%a: memref<?xf32>, %b: memref<?xf32>) {
  atlas.softmax ins(%a : memref<?xf32>) outs(%b : memref<?xf32>) {axis = 0 : i64, schedule = {tile = 0 : i64}}
  func.return
}
