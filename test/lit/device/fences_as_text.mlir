// RUN: hologram-opt %s -t opencl-c{features=fences} | filecheck %s

// Devices of OpenCL 2.0, and those of 3.0 that say so, have fences between blocks.
// CHECK:      // OpenCL C 1.2.
// CHECK:      // Its fences are those of OpenCL C 2.0.
"gpu.module"() <{sym_name = "kernels"}> ({
  "gpu.func"() <{function_type = () -> ()}> ({
  ^bb0():
    // CHECK:      mem_fence(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    "llvm.fence"() <{ordering = 4 : i64, syncscope = "block"}> : () -> ()
    // CHECK-NEXT: atomic_work_item_fence(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE, memory_order_acq_rel, memory_scope_device);
    "llvm.fence"() <{ordering = 4 : i64, syncscope = "device"}> : () -> ()
    // CHECK-NEXT: atomic_work_item_fence(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE, memory_order_acq_rel, memory_scope_device);
    "llvm.fence"() <{ordering = 4 : i64}> : () -> ()
    "gpu.return"() : () -> ()
  }) {sym_name = "k", gpu.kernel} : () -> ()
}) : () -> ()
