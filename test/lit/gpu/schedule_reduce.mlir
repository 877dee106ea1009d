// RUN: hologram-opt %s -p 'schedule-atlas{target=cuda},canonicalize,cse' --split-input-file | filecheck %s

// Rows of a chunk at most: four a block, a warp each by vectors; accumulators combine in shared memory by halving.

func.func @rows(%a: memref<100x4096xf32>, %r: memref<100xf32>) {
  atlas.reduce [add f32] ins(%a : memref<100x4096xf32>) outs(%r : memref<100xf32>)
    maps [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>] {
  ^bb0(%x: f32):
    atlas.yield %x : f32
  }
  func.return
}

// CHECK-LABEL: @rows
// CHECK:       gpu.launch
// CHECK:         memref.alloca() : memref<512xf32, #gpu.address_space<workgroup>>
// CHECK:         scf.for
// CHECK-COUNT-8:   vector.load %a[{{.*}}] {alignment = 16 : i64} : memref<100x4096xf32>, vector<4xf32>
// CHECK:         vector.store %{{.*}} {alignment = 16 : i64} : memref<512xf32, #gpu.address_space<workgroup>>
// CHECK-COUNT-7: gpu.barrier
// CHECK:         memref.store %{{.*}}, %r[
// CHECK-NOT:   gpu.launch

// -----

// All of a line: parts of it by many blocks, then a launch that combines the parts.

func.func @line(%a: memref<?xf32>, %r: memref<f32>) {
  atlas.reduce [add f32] ins(%a : memref<?xf32>) outs(%r : memref<f32>)
    maps [affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>] {
  ^bb0(%x: f32):
    atlas.yield %x : f32
  }
  func.return
}

// CHECK-LABEL: @line
// CHECK:       [[PARTS:%.*]] = memref.alloc(
// CHECK:       gpu.launch
// CHECK:       scf.if
// CHECK:         gpu.launch
// CHECK:           memref.load [[PARTS]]
// CHECK:       memref.dealloc [[PARTS]]
