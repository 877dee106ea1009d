// RUN: hologram-opt %s -p convert-hologram-kernels-to-atlas,structure-control-flow | filecheck %s

// Variables become values of blocks; the host function launches as many blocks as the lanes fill, if there are lanes.

hologram.kernel @relu(%x: memref<?xf32>) block [64, 1, 1] lanes {
^bb0(%y: memref<?xf32>):
  %c0 = arith.constant 0 : index
  %n = memref.dim %y, %c0 : memref<?xf32>
  hologram.lanes %n : index
} {
  %v = hologram.var : !hologram.var<f32>
  %i = atlas.special gid : i64
  %zero = atlas.mov_imm 0.0 : f32
  %e = atlas.ldg f32 %x[%i : i64] : memref<?xf32>
  hologram.set %v, %e : !hologram.var<f32>
  %p = atlas.setcc lt f32 %e, %zero
  hologram.if %p {
    hologram.set %v, %zero : !hologram.var<f32>
  }
  %r = hologram.get %v : !hologram.var<f32>
  atlas.stg f32 %r, %x[%i : i64] : memref<?xf32>
}

// CHECK:       func.func @relu(%{{.*}}: memref<?xf32>)
// CHECK:         %[[SOME:.*]] = arith.cmpi sgt, %[[N:.*]], %{{.*}} : index
// CHECK:         %[[BLOCKS:.*]] = arith.ceildivui %[[N]], %{{.*}} : index
// CHECK:         scf.if %[[SOME]] {
// CHECK-NEXT:      atlas.launch @relu_lanes grid(%[[BLOCKS]], %{{.*}}, %{{.*}}) args(%{{.*}} : memref<?xf32>)
// CHECK:       atlas.program @relu_lanes(%[[X:.*]]: memref<?xf32>) block [64, 1, 1] {
// CHECK:         %[[E:.*]] = atlas.ldg f32 %[[X]]
// CHECK:         %[[R:.*]] = atlas.sel f32 %{{.*}}, %{{.*}}, %[[E]]
// CHECK:         atlas.stg f32 %[[R]], %[[X]]
