// RUN: hologram-opt %s -p 'schedule-atlas{bounds=trust cache-bytes=65536}' | filecheck %s

// Cheap bodies say from which length their arrays don't fit the last cache; dear ones wait for the processor anyway.

func.func @cheap(%a: memref<?xf32>, %b: memref<?xf16>, %r: memref<?xf32>) {
  atlas.map ins(%a, %b : memref<?xf32>, memref<?xf16>) outs(%r : memref<?xf32>)
    maps [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>] {
  ^bb0(%x: f32, %h: f16):
    %y = atlas.cvt f16 to f32 %h
    %s = atlas.add f32 %x, %y
    atlas.yield %s : f32
  }
  func.return
}
// CHECK: {atlas.linear, hologram.vectorize = {past_cache = 6553 : i64}}

func.func @dear(%a: memref<?xf32>, %r: memref<?xf32>) {
  atlas.map ins(%a : memref<?xf32>) outs(%r : memref<?xf32>)
    maps [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>] {
  ^bb0(%x: f32):
    %y = atlas.sin f32 %x
    %z = atlas.pow f32 %y, %x
    atlas.yield %z : f32
  }
  func.return
}
// CHECK: {atlas.linear, hologram.vectorize}
