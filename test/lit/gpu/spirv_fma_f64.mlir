// RUN: hologram-opt %s -p "hologram-to-vulkan{to=device}" | filecheck %s

// A product and sum of f64 in one rounding calls functions of integers in parts, which are no kernels.

func.func @main(%x: memref<?xf64>, %y: memref<?xf64>) {
  atlas.map ins(%x, %y : memref<?xf64>, memref<?xf64>) outs(%y : memref<?xf64>)
    maps [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>] {
  ^bb0(%u: f64, %v: f64):
    %r = atlas.fma f64 %u, %v, %v
    atlas.yield %r : f64
  }
  func.return
}

// CHECK: @hologram_fma_shift(%{{.*}}: i64, %{{.*}}: i64, %{{.*}}: i64)
