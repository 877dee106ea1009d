// RUN: hologram-opt %s -p 'schedule-atlas{target=cuda}' | filecheck %s

// Maps that look up tables of coefficients get few registers a thread, so that many threads wait at the same time.

// CHECK-LABEL: func.func @tables
// CHECK:       gpu.launch
// CHECK:       nvvm.maxnreg = 32 : i32
// CHECK-LABEL: func.func @none
// CHECK-NOT:   nvvm.maxnreg
// CHECK-LABEL: func.func @doubles
// CHECK-NOT:   nvvm.maxnreg

func.func @tables(%x: memref<?xf32>, %y: memref<?xf32>) {
  atlas.map ins(%x : memref<?xf32>) outs(%y : memref<?xf32>)
    maps [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>] {
  ^bb0(%a: f32):
    %r = atlas.gelu f32 %a
    atlas.yield %r : f32
  }
  func.return
}

func.func @none(%x: memref<?xf32>, %y: memref<?xf32>) {
  atlas.map ins(%x : memref<?xf32>) outs(%y : memref<?xf32>)
    maps [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>] {
  ^bb0(%a: f32):
    %r = atlas.exp f32 %a
    atlas.yield %r : f32
  }
  func.return
}

func.func @doubles(%x: memref<?xf64>, %y: memref<?xf64>) {
  atlas.map ins(%x : memref<?xf64>) outs(%y : memref<?xf64>)
    maps [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>] {
  ^bb0(%a: f64):
    %r = atlas.gelu f64 %a
    atlas.yield %r : f64
  }
  func.return
}
