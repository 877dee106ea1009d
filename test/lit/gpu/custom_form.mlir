// RUN: hologram-opt %s | filecheck %s
// RUN: hologram-opt %s --mlir-print-op-generic | hologram-opt | filecheck %s

// The gpu dialect in upstream's custom syntax, and its generic form read back.

// CHECK: gpu.module @k <#gpu.select_object<1 : i64>> [#nvvm.target] attributes {foo} {
gpu.module @k <#gpu.select_object<1>> [#nvvm.target] attributes {foo} {
  // CHECK: gpu.func @f(%a: f32 {foo.a}, %b: i32) -> (f32 {foo.b}, i32) {
  gpu.func @f(%a: f32 {foo.a}, %b: i32) -> (f32 {foo.b}, i32) {
    // CHECK: gpu.return %a, %b : f32, i32
    gpu.return %a, %b : f32, i32
  }
  // CHECK: gpu.func @g(%a: f32) workgroup(%w : memref<4xf32, #gpu.address_space<workgroup>> {llvm.align = 4 : i64})
  // CHECK-SAME: private(%p : memref<1xf32, #gpu.address_space<private>>) kernel attributes {known_block_size = array<i32: 1, 2, 3>} {
  gpu.func @g(%a: f32) workgroup(%w: memref<4xf32, #gpu.address_space<workgroup>> {llvm.align = 4 : i64})
      private(%p: memref<1xf32, #gpu.address_space<private>>) kernel attributes {known_block_size = array<i32: 1, 2, 3>} {
    // CHECK-NEXT: gpu.thread_id y upper_bound 64
    %y = gpu.thread_id y upper_bound 64
    // CHECK-NEXT: gpu.cluster_id x {foo}
    %x = gpu.cluster_id x {foo}
    // CHECK-NEXT: gpu.lane_id upper_bound 32
    %l = gpu.lane_id upper_bound 32
    // CHECK-NEXT: gpu.subgroup_size : index
    %s = gpu.subgroup_size : index
    // CHECK-NEXT: gpu.barrier
    gpu.barrier
    // CHECK-NEXT: gpu.all_reduce add %a uniform {
    // CHECK-NEXT: } : (f32) -> f32
    %r = gpu.all_reduce add %a uniform {} : (f32) -> f32
    // CHECK-NEXT: gpu.subgroup_reduce mul %a cluster(size = 4, stride = 2) : (f32) -> f32
    %q = gpu.subgroup_reduce mul %a cluster(size = 4, stride = 2) : (f32) -> f32
    // CHECK-NEXT: gpu.printf "a %f", %a : f32
    gpu.printf "a %f", %a : f32
    // CHECK-NEXT: gpu.return
    gpu.return
  }
}

// CHECK: gpu.binary @b <#gpu.select_object<0 : i64>> {foo} [#gpu.object<#nvvm.target, properties = {O = 3 : i32}, "a">]
gpu.binary @b <#gpu.select_object<0>> {foo} [#gpu.object<#nvvm.target, properties = {O = 3 : i32}, "a">]
