// RUN: hologram-opt %s -p 'convert-gpu-to-spirv{shared-bytes=1024}' | filecheck %s

// A kernel that computes with addresses gets its buffers as such: 64-bit numbers before the scalars, which become
// pointers where something is accessed. What a launch sizes of shared memory is an array of all that the device has.

// CHECK: PhysicalStorageBuffer64 GLSL450
// CHECK-SAME: PhysicalStorageBufferAddresses
// CHECK: !spirv.ptr<!spirv.struct<(i64 [0], i64 [8], i32 [16], i32 [20], i32 [24], i32 [28])>, PushConstant>
// CHECK: spirv.GlobalVariable @k_launched : !spirv.ptr<!spirv.array<240 x f32>, Workgroup>
// CHECK: %index = spirv.Load "PushConstant" %{{.*}} : i64
// CHECK: spirv.ConvertUToPtr %index : i64 to !spirv.ptr<!spirv.struct<(!spirv.rtarray<i8, stride=1> [0])>, PhysicalStorageBuffer>
// CHECK: %place = spirv.IAdd %index, %four : i64
// CHECK: spirv.ConvertUToPtr %place : i64 to !spirv.ptr<f32, PhysicalStorageBuffer>
// CHECK: spirv.Load "PhysicalStorageBuffer" %{{.*}} ["Aligned", 4] : f32
// CHECK: spirv.ConvertUToPtr %{{.*}} : i64 to !spirv.ptr<!spirv.struct<(!spirv.rtarray<i16, stride=2> [0])>, PhysicalStorageBuffer>
// CHECK: spirv.AtomicCompareExchange
"gpu.module"() <{sym_name = "kernels"}> ({
  "gpu.func"() <{function_type = (memref<?xi8>, memref<?xf32>, index) -> ()}> ({
  ^bb0(%a: memref<?xi8>, %b: memref<?xf32>, %n: index, %s: memref<16xi32, #gpu.address_space<workgroup>>):
    %shared = "gpu.dynamic_shared_memory"() : () -> memref<?xi8, #gpu.address_space<workgroup>>
    %start = arith.constant 0 : index
    %floats = memref.view %shared[%start][%n] : memref<?xi8, #gpu.address_space<workgroup>> to memref<?xf32, #gpu.address_space<workgroup>>
    %index = "memref.extract_aligned_pointer_as_index"(%a) : (memref<?xi8>) -> index
    %base = arith.index_cast %index : index to i64
    %four = arith.constant 4 : i64
    %place = arith.addi %base, %four : i64
    %pointer = llvm.inttoptr %place : i64 to !llvm.ptr
    %v = llvm.load %pointer {alignment = 1 : i64} : !llvm.ptr -> f32
    memref.store %v, %floats[%start] : memref<?xf32, #gpu.address_space<workgroup>>
    %halves = memref.view %a[%start][%n] : memref<?xi8> to memref<?xi16>
    %h = memref.load %halves[%start] : memref<?xi16>
    %w = arith.extui %h : i16 to i32
    %pair = llvm.cmpxchg %pointer, %w, %w monotonic monotonic : !llvm.ptr, i32
    %old = llvm.extractvalue %pair[0] : !llvm.struct<(i32, i1)>
    %sum = llvm.atomicrmw fadd %pointer, %v monotonic : !llvm.ptr, f32
    %f = arith.bitcast %old : i32 to f32
    llvm.store %f, %pointer {alignment = 1 : i64} : f32, !llvm.ptr
    memref.store %sum, %b[%start] : memref<?xf32>
    "gpu.return"() : () -> ()
  }) {sym_name = "k", gpu.kernel, workgroup_attributions = 1 : i64} : () -> ()
}) : () -> ()
