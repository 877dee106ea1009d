// ARGS: f32[5]=ones [1,2,3]:f32
// WANT: trap must have the size of axis 0 of in 0

func.func @main(%x: memref<?xf32>, %y: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  atlas.map ins(%x : memref<?xf32>) outs(%y : memref<?xf32>) maps [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>] {
  ^bb0(%a: f32):
    %b = atlas.add f32 %a, %a
    atlas.yield %b : f32
  }
  func.return
}
