// RUN: hologram-opt %s | hologram-opt | filecheck %s
// RUN: hologram-opt %s -p schedule-atlas | filecheck %s --check-prefix=ADDED
// RUN: hologram-opt %s -p schedule-atlas,convert-atlas-to-core | filecheck %s --check-prefix=CORE

// Reductions over memory: schedule-atlas adds a function for each combiner, type and kind of place.
atlas.program @p(%x: memref<?xf32>, %y: memref<?xf32>, %n: i64) block [4, 1, 1] {
  %i = atlas.special gid : i64
  // CHECK: %s = atlas.reduce.add.span f32 %x[%i : i64] : memref<?xf32>, %n
  // CORE: func.call @hologram_trap
  // CORE: %s = func.call @hologram_reduce_add_f32(%x, %{{.*}}, %{{.*}}) : (memref<?xf32>, index, index) -> f32
  %s = atlas.reduce.add.span f32 %x[%i : i64] : memref<?xf32>, %n
  %z = atlas.mov_imm 0 : i32
  %p = atlas.bound.map f32 %z, %z, %z
  // CHECK: %t = atlas.reduce.max.span f32 %p[] : !atlas.ptr<f32, class>, %n
  // CORE: %t = func.call @hologram_reduce_max_f32_at(%{{.*}}, %{{.*}}) : (i64, index) -> f32
  %t = atlas.reduce.max.span f32 %p[] : !atlas.ptr<f32, class>, %n
  %r = atlas.add f32 %s, %t
  atlas.stg f32 %r, %y[%i : i64] : memref<?xf32>
}
// ADDED: func.func private @hologram_reduce_add_f32(%{{.*}}: memref<?xf32>, %{{.*}}: index, %{{.*}}: index) -> f32
// ADDED: func.func private @hologram_reduce_max_f32_at(%{{.*}}: i64, %{{.*}}: index) -> f32
