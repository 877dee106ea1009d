// RUN: hologram-opt %s -p convert-gpu-to-spirv | filecheck %s

// Buffers have bindings in order, scalars are push constants; a barrier orders workgroup memory (0x108), an atomic
// operation nothing. A lane of a kernel with barriers that traps goes on, without touching memory.

// CHECK: spirv.module @__spv__kernels Logical GLSL450 requires #spirv.vce<v1.5, [Shader, Int64, Int16, StorageBuffer16BitAccess], []>
// CHECK: spirv.GlobalVariable @k_scalars
// CHECK: spirv.GlobalVariable @k_0 bind(0, 0) {non_writable, restrict} : !spirv.ptr<!spirv.struct<(!spirv.rtarray<f32, stride=4> [0])>, StorageBuffer>
// CHECK: !spirv.rtarray<i16, stride=2>
// CHECK: !spirv.rtarray<i32, stride=4>
// CHECK: !spirv.ptr<!spirv.array<64 x f32>, Workgroup>
// CHECK: spirv.ControlBarrier <Workgroup>, <Workgroup>, <AcquireRelease|WorkgroupMemory>
// CHECK: spirv.AtomicCompareExchange <{{[A-Za-z]+}}> <None> <None> 
// CHECK: spirv.FMul {{.*}} {no_contraction} : f32
// CHECK: spirv.mlir.selection
// CHECK: spirv.Store
// CHECK: spirv.EntryPoint "GLCompute" @k, @__builtin__LocalInvocationId__, @k_0, @k_1, @k_2, @k_scalars, @k_shared_0
// CHECK: spirv.ExecutionMode @k "LocalSize", 64, 1, 1
"gpu.module"() <{sym_name = "kernels"}> ({
  func.func private @hologram_trap(memref<?xi64>, i64, i64, i64, i64)
  "gpu.func"() <{function_type = (memref<?xf32>, memref<?xbf16>, index, memref<?xi64>) -> (), known_block_size = array<i32: 64, 1, 1>, arg_attrs = [{hologram.access = "read"}, {hologram.access = "write"}, {}, {hologram.trap, hologram.access = "write"}]}> ({
  ^bb0(%a: memref<?xf32>, %b: memref<?xbf16>, %n: index, %trap: memref<?xi64>, %s: memref<64xf32, #gpu.address_space<workgroup>>):
    %i = "gpu.thread_id"() <{dimension = #gpu<dim x>}> : () -> index
    %v = memref.load %a[%i] : memref<?xf32>
    memref.store %v, %s[%i] : memref<64xf32, #gpu.address_space<workgroup>>
    "gpu.barrier"() : () -> ()
    %c0 = arith.constant 0 : i64
    %inside = arith.cmpi ult, %i, %n : index
    func.call @hologram_trap(%trap, %c0, %c0, %c0, %c0) : (memref<?xi64>, i64, i64, i64, i64) -> ()
    cf.assert %inside, "out of range"
    %w = memref.load %s[%i] : memref<64xf32, #gpu.address_space<workgroup>>
    %p = arith.mulf %w, %w : f32
    %bits = arith.bitcast %p : f32 to i32
    %low = arith.trunci %bits : i32 to i16
    %r = arith.bitcast %low : i16 to bf16
    memref.store %r, %b[%i] : memref<?xbf16>
    "gpu.return"() : () -> ()
  }) {sym_name = "k", gpu.kernel, workgroup_attributions = 1 : i64} : () -> ()
}) : () -> ()
