// RUN: hologram-opt %s | filecheck %s
// RUN: hologram-opt %s --mlir-print-op-generic | hologram-opt | filecheck %s

// Launches, tokens and copies in upstream's custom syntax.

builtin.module attributes {gpu.container_module} {
  gpu.module @k {
    gpu.func @g(%a: f32) kernel {
      gpu.return
    }
  }
  func.func @host(%i: index, %n: i32, %m: memref<?xf32>, %f: f32, %w: i64) {
    // CHECK: %t = gpu.wait async
    %t = gpu.wait async
    // CHECK-NEXT: gpu.wait [%t, %t] {foo}
    gpu.wait [%t, %t] {foo}
    // CHECK-NEXT: gpu.launch_func @k::@g clusters in (%w, %w, %w) blocks in (%w, %w, %w) threads in (%w, %w, %w) : i64
    // CHECK-SAME: dynamic_shared_memory_size %n args(%f : f32) {foo}
    gpu.launch_func @k::@g clusters in (%w, %w, %w) blocks in (%w, %w, %w) threads in (%w, %w, %w) : i64
      dynamic_shared_memory_size %n args(%f : f32) {foo}
    // CHECK-NEXT: %q = gpu.launch async [%t] clusters(%c, %c1, %c2) in (%c3 = %i, %c4 = %i, %c5 = %i)
    // CHECK-SAME: blocks(%b, %b1, %b2) in (%b3 = %i, %b4 = %i, %b5 = %i)
    // CHECK-SAME: threads(%l, %l1, %l2) in (%l3 = %i, %l4 = %i, %l5 = %i)
    // CHECK-SAME: module(@k) function(@g) workgroup(%s : memref<4xf32, 3 : i64>) private(%p : memref<3xf32, 5 : i64>) {
    // CHECK-NEXT: gpu.terminator
    // CHECK-NEXT: } {foo}
    %q = gpu.launch async [%t] clusters(%c, %c1, %c2) in (%c3 = %i, %c4 = %i, %c5 = %i)
      blocks(%b, %b1, %b2) in (%b3 = %i, %b4 = %i, %b5 = %i)
      threads(%l, %l1, %l2) in (%l3 = %i, %l4 = %i, %l5 = %i)
      module(@k) function(@g) workgroup(%s: memref<4xf32, 3>) private(%p: memref<3xf32, 5>) {
      gpu.terminator
    } {foo}
    // CHECK-NEXT: %a, %u = gpu.alloc async [%t, %q] host_shared (%i) : memref<?xf32>
    %a, %u = gpu.alloc async [%t, %q] host_shared (%i) : memref<?xf32>
    // CHECK-NEXT: gpu.memcpy %m, %a : memref<?xf32>, memref<?xf32>
    gpu.memcpy %m, %a : memref<?xf32>, memref<?xf32>
    // CHECK-NEXT: gpu.dealloc async [%u] %a : memref<?xf32>
    %v = gpu.dealloc async [%u] %a : memref<?xf32>
    // CHECK-NEXT: gpu.warp_execute_on_lane_0(%i)[32] {
    // CHECK-NEXT: }
    gpu.warp_execute_on_lane_0(%i)[32] {
    }
    func.return
  }
}
