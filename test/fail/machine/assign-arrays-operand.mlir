// RUN: hologram-opt %s -p assign-registers
// EXIT: 1
// ERROR: :8:3: error: an operand of 'atlas\.map' is neither an argument nor a constant \[assign-arrays-operand\]

func.func @p(%x: memref<f32>, %y: memref<4xi64>) {
  %c = arith.constant 0 : index
  %n = memref.dim %y, %c : memref<4xi64>
  atlas.map ins(%n : index) outs(%y : memref<4xi64>)
    maps [affine_map<(d0) -> ()>, affine_map<(d0) -> (d0)>] {
  ^bb0(%e: index):
    %r = arith.constant 1 : i64
    atlas.yield %r : i64
  }
  func.return
}
