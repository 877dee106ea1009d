// RUN: hologram-opt %s -p schedule-atlas
// EXIT: 1
// ERROR: :6:3: error: the attribute 'schedule' of 'atlas.softmax' must be a dictionary, found 3.* \[schedule-attribute\]

func.func @f(%a: memref<?xf32>, %b: memref<?xf32>) {
  atlas.softmax ins(%a : memref<?xf32>) outs(%b : memref<?xf32>) {axis = 0 : i64, schedule = 3 : i64}
  func.return
}
