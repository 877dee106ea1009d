// RUN: hologram-opt %s -t opencl-c | filecheck %s --check-prefix CL
// RUN: hologram-opt %s -t wgsl | filecheck %s --check-prefix WGSL
// RUN: hologram-opt %s -t msl | filecheck %s --check-prefix MSL

// A lane that fails after a barrier goes on without touching memory; what a loop carries are variables, swapped here.

// CL: #pragma OPENCL FP_CONTRACT OFF
// CL: kernel __attribute__((reqd_work_group_size(64, 1, 1))) void demo(global const float *x, global float *y, ulong n)
// CL: local float s[64];
// CL: const ulong t = get_local_id(0);
// CL: barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
// CL: for (ulong k = 0ul; (long)k < 64l; k += 1ul) {
// CL: const float m = fma(e, e, one);
// CL: const float next = one;
// CL: one = two;
// CL: two = next;
// CL: alive = alive && inside;
// CL: if (alive) {
// CL-NEXT: y[t] = one;

// WGSL: @group(0) @binding(0) var<storage, read> x: array<f32>;
// WGSL: @group(0) @binding(1) var<storage, read_write> y: array<f32>;
// WGSL: @group(0) @binding(2) var<uniform> demo_scalars: demo_scalars_type;
// WGSL: var<workgroup> s: array<f32, 64>;
// WGSL: @compute @workgroup_size(64, 1, 1)
// WGSL: let n = demo_scalars.n;
// WGSL: workgroupBarrier();
// WGSL: alive = alive && inside;

// MSL: kernel void demo(
// MSL: device const float *x {{\[\[}}buffer(0)]],
// MSL: constant demo_scalars_type &scalars {{\[\[}}buffer(2)]],
// MSL: threadgroup_barrier(mem_flags::mem_device | mem_flags::mem_threadgroup);
"gpu.module"() <{sym_name = "kernels"}> ({
  "gpu.func"() <{function_type = (memref<?xf32>, memref<?xf32>, index) -> (), known_block_size = array<i32: 64, 1, 1>}> ({
  ^bb0(%x: memref<?xf32>, %y: memref<?xf32>, %n: index, %s: memref<64xf32, #gpu.address_space<workgroup>>):
    %t = "gpu.thread_id"() <{dimension = #gpu<dim x>}> : () -> index
    %v = memref.load %x[%t] : memref<?xf32>
    memref.store %v, %s[%t] : memref<64xf32, #gpu.address_space<workgroup>>
    "gpu.barrier"() : () -> ()
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %zero = arith.constant 0.0 : f32
    %one, %two = scf.for %k = %c0 to %c64 step %c1 iter_args(%a = %zero, %b = %v) -> (f32, f32) {
      %e = memref.load %s[%k] : memref<64xf32, #gpu.address_space<workgroup>>
      %m = math.fma %e, %e, %a : f32
      scf.yield %b, %a : f32, f32
    }
    %inside = arith.cmpi ult, %t, %n : index
    cf.assert %inside, "outside"
    memref.store %one, %y[%t] : memref<?xf32>
    "gpu.return"() : () -> ()
  }) {sym_name = "demo", gpu.kernel, workgroup_attributions = 1 : i64} : () -> ()
}) : () -> ()
