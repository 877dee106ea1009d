// RUN: hologram-opt %s -p 'schedule-atlas{target=cuda},canonicalize,cse' | filecheck %s

// A tile a block: four vectors of 16 bytes of each operand a thread, all loads before the first store. What is no whole
// tile, and memory that begins elsewhere, goes element by element.

func.func @add(%a: memref<?xf32>, %r: memref<?xf32>) attributes {hologram.constraints = ["a[0] == r[0]"]} {
  atlas.map ins(%a : memref<?xf32>) outs(%r : memref<?xf32>)
    maps [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>] {
  ^bb0(%x: f32):
    %s = atlas.add f32 %x, %x
    atlas.yield %s : f32
  }
  func.return
}

// CHECK:       [[N:%.*]] = memref.dim %a
// CHECK:       [[TILES:%[0-9]+]] = arith.divui
// CHECK:       [[ALIGNED:%.*]] = arith.cmpi eq
// CHECK-NEXT:  [[WHOLE:%.*]] = arith.select [[ALIGNED]], [[N]], %{{.*}} : index
// CHECK:       gpu.launch blocks([[BLOCK:%[0-9]+]],
// CHECK-NEXT:    [[SOME:%.*]] = arith.cmpi ult, [[BLOCK]], [[TILES]] : index
// CHECK-NEXT:    scf.if [[SOME]] {
// CHECK:           [[FULL:%.*]] = arith.cmpi ule, %{{.*}}, [[WHOLE]] : index
// CHECK-NEXT:      scf.if [[FULL]] {
// CHECK-COUNT-4:     vector.load %a[%{{.*}}] {alignment = 16 : i64} : memref<?xf32>, vector<4xf32>
// CHECK-COUNT-16:    atlas.add f32
// CHECK-COUNT-4:     vector.store %{{.*}}, %r[%{{.*}}] {alignment = 16 : i64} : memref<?xf32>, vector<4xf32>
// CHECK:           } else {
// CHECK:             scf.for
// CHECK-NEXT:          memref.load %a
// CHECK-NOT:       vector
