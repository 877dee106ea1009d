// RUN: hologram-opt %s -p 'flatten-kernels,gpu-module-to-binary{format=wgsl features=i64}' | filecheck %s

// A vector of constants is written by its elements.

builtin.module attributes {gpu.container_module} {
gpu.module @m {
  gpu.func @k(%a: memref<?xvector<4xi64>> {hologram.access = "write"}) kernel attributes {known_block_size = array<i32: 8, 1, 1>} {
    %i = gpu.thread_id x
    %c = arith.constant dense<[1, 2, 70000, 0]> : vector<4xi64>
    memref.store %c, %a[%i] : memref<?xvector<4xi64>>
    gpu.return
  }
}
}

// CHECK: vec4<u64>(1lu, 2lu, 0x11170lu, 0lu)
