// RUN: hologram-opt %s -p outline-gpu-kernels | filecheck %s

// Views of a buffer are made again in the kernel, so that it is one argument; constants are no arguments.

func.func @f(%a: memref<4x8xf32>, %v: f32, %g: index) {
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %flat = memref.collapse_shape %a [[0, 1]] : memref<4x8xf32> into memref<32xf32>
  "gpu.launch"(%g, %c1, %c1, %c32, %c1, %c1) <{operandSegmentSizes = array<i32: 0, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0>}> ({
  ^bb0(%bx: index, %by: index, %bz: index, %tx: index, %ty: index, %tz: index, %gx: index, %gy: index, %gz: index, %sx: index, %sy: index, %sz: index):
    %tile = memref.alloca() : memref<32xf32, #gpu.address_space<workgroup>>
    memref.store %v, %tile[%tx] : memref<32xf32, #gpu.address_space<workgroup>>
    "gpu.barrier"() : () -> ()
    %w = memref.load %tile[%c1] : memref<32xf32, #gpu.address_space<workgroup>>
    memref.store %w, %flat[%tx] : memref<32xf32>
    memref.store %w, %a[%c1, %c1] : memref<4x8xf32>
    "gpu.terminator"() : () -> ()
  }) : (index, index, index, index, index, index) -> ()
  func.return
}

// CHECK:       gpu.launch_func @kernels::@f_kernel blocks in (%g, %c1, %c1) threads in (%c32, %c1, %c1) args(%v : f32, %a : memref<4x8xf32>)
// CHECK:       gpu.module @kernels
// CHECK-NEXT:    gpu.func @f_kernel(%v: f32, %a: memref<4x8xf32>) workgroup(%tile : memref<32xf32, #gpu.address_space<workgroup>>)
// CHECK-SAME:      kernel attributes {known_block_size = array<i32: 32, 1, 1>}
// CHECK:         memref.collapse_shape %a
// CHECK:         gpu.thread_id x
// CHECK:         gpu.return
