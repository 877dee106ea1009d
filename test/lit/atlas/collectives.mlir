// RUN: hologram-opt %s | hologram-opt - | filecheck %s
// RUN: hologram-opt %s -p generalize-atlas | filecheck %s --check-prefix MAP

// A launch runs on one device, so its collectives are copies.

func.func @collectives(%x: memref<?xf32>, %y: memref<?xf32>, %z: memref<1x?xf32>) {
  atlas.all_reduce ins(%x : memref<?xf32>) outs(%y : memref<?xf32>)
    {kind = #atlas.kind<add>, type = #atlas.dtype<f32>}
  atlas.all_gather ins(%x : memref<?xf32>) outs(%z : memref<1x?xf32>)
  func.return
}

// CHECK:         atlas.all_reduce ins(%x : memref<?xf32>) outs(%y : memref<?xf32>) {kind = #atlas.kind<add>, type = #atlas.dtype<f32>}
// CHECK-NEXT:    atlas.all_gather ins(%x : memref<?xf32>) outs(%z : memref<1x?xf32>)

// MAP:           atlas.map ins(%x : memref<?xf32>) outs(%y : memref<?xf32>) maps [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>] {
// MAP-NEXT:      ^bb0([[V:%.*]]: f32):
// MAP-NEXT:        atlas.yield [[V]] : f32
// MAP:           atlas.map ins(%x : memref<?xf32>) outs(%z : memref<1x?xf32>) maps [affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0, d1)>] {
