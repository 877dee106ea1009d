// RUN: hologram-opt %s -t opencl-c | filecheck %s --check-prefix CL
// RUN: hologram-opt %s -t wgsl | filecheck %s --check-prefix WGSL
// RUN: hologram-opt %s -t msl | filecheck %s --check-prefix MSL

// A barrier orders buffers only where the kernel reads one that it writes; nothing is known of those that say nothing.

// CL: void apart
// CL: barrier(CLK_LOCAL_MEM_FENCE);
// CL: void mixed
// CL: barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
// CL: void unknown
// CL: barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);

// WGSL: fn apart
// WGSL-NOT: storageBarrier
// WGSL: workgroupBarrier();
// WGSL: fn mixed
// WGSL: storageBarrier();
// WGSL-NEXT: workgroupBarrier();
// WGSL: fn unknown
// WGSL: storageBarrier();

// MSL: threadgroup_barrier(mem_flags::mem_threadgroup);
// MSL: threadgroup_barrier(mem_flags::mem_device | mem_flags::mem_threadgroup);
// MSL: threadgroup_barrier(mem_flags::mem_device | mem_flags::mem_threadgroup);
"gpu.module"() <{sym_name = "kernels"}> ({
  "gpu.func"() <{function_type = (memref<?xf32>, memref<?xf32>) -> (), arg_attrs = [{hologram.access = "read"}, {hologram.access = "write"}]}> ({
  ^bb0(%x: memref<?xf32>, %y: memref<?xf32>):
    "gpu.barrier"() : () -> ()
    "gpu.return"() : () -> ()
  }) {sym_name = "apart", gpu.kernel} : () -> ()
  "gpu.func"() <{function_type = (memref<?xf32>, memref<?xf32>) -> (), arg_attrs = [{hologram.access = "read"}, {hologram.access = "readwrite"}]}> ({
  ^bb0(%x: memref<?xf32>, %y: memref<?xf32>):
    "gpu.barrier"() : () -> ()
    "gpu.return"() : () -> ()
  }) {sym_name = "mixed", gpu.kernel} : () -> ()
  "gpu.func"() <{function_type = (memref<?xf32>) -> ()}> ({
  ^bb0(%x: memref<?xf32>):
    "gpu.barrier"() : () -> ()
    "gpu.return"() : () -> ()
  }) {sym_name = "unknown", gpu.kernel} : () -> ()
}) : () -> ()
