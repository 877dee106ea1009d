// RUN: hologram-opt %s | filecheck %s
// RUN: hologram-opt %s -p convert-atlas-to-core | filecheck %s --check-prefix CORE

// The launch's shared bytes size the shared array without a length; the kernel is told them too.

func.func @main(%n: index) {
  %one = arith.constant 1 : index
  // CHECK: atlas.launch @p grid(%one, %one, %one) shared(%n)
  // CORE: [[BYTES:%.*]] = arith.index_cast %n : index to i32
  // CORE: gpu.launch_func @programs::@p {{.*}} dynamic_shared_memory_size [[BYTES]] args(%trap : memref<8xi64>, %n : index)
  atlas.launch @p grid(%one, %one, %one) shared(%n)
  func.return
}

// CORE: gpu.func @p(%trap: memref<8xi64> {hologram.trap}, %shared_bytes: index
// CORE: [[ALL:%.*]] = gpu.dynamic_shared_memory : memref<?xi8, #gpu.address_space<workgroup>>
// CORE: [[N:%.*]] = arith.divui %shared_bytes
// CORE: memref.view [[ALL]]
// CORE-SAME: memref<?xf32, #gpu.address_space<workgroup>>
atlas.program @p() block [4, 1, 1] {
  // CHECK: %s = atlas.alloca : memref<?xf32, #atlas.space<shared>>
  %s = atlas.alloca : memref<?xf32, #atlas.space<shared>>
  %zero = atlas.mov_imm 0 : i64
  %v = atlas.lds f32 %s[%zero : i64] : memref<?xf32, #atlas.space<shared>>
}
