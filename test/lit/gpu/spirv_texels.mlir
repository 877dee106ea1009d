// RUN: hologram-opt %s -p convert-gpu-to-spirv | filecheck %s

// An argument with hologram.texels is a uniform texel buffer, which is loaded once and fetched from.

// CHECK: requires #spirv.vce<v1.5, [Shader, SampledBuffer], []>
// CHECK: spirv.GlobalVariable @k_0 bind(0, 0) : !spirv.ptr<!spirv.image<f32, Buffer, NoDepth, NonArrayed, SingleSampled, NeedSampler, Unknown>, UniformConstant>
// CHECK: spirv.func @k
// CHECK: %[[VARIABLE:.*]] = spirv.mlir.addressof @k_0
// CHECK: %[[IMAGE:.*]] = spirv.Load "UniformConstant" %[[VARIABLE]]
// CHECK: %[[TEXEL:.*]] = spirv.ImageFetch %[[IMAGE]], %{{.*}} : !spirv.image<f32, Buffer, NoDepth, NonArrayed, SingleSampled, NeedSampler, Unknown>, i32 -> vector<4xf32>
// CHECK-NEXT: spirv.CompositeExtract %[[TEXEL]][3 : i32] : vector<4xf32>
"gpu.module"() <{sym_name = "kernels"}> ({
  "gpu.func"() <{function_type = (memref<?xvector<4xf32>>, memref<?xf32>) -> (), known_block_size = array<i32: 64, 1, 1>, arg_attrs = [{hologram.access = "read", hologram.texels}, {hologram.access = "write"}]}> ({
  ^bb0(%a: memref<?xvector<4xf32>>, %b: memref<?xf32>):
    %i = "gpu.thread_id"() <{dimension = #gpu<dim x>}> : () -> index
    %v = memref.load %a[%i] : memref<?xvector<4xf32>>
    %x = vector.extract %v[3] : f32 from vector<4xf32>
    memref.store %x, %b[%i] : memref<?xf32>
    "gpu.return"() : () -> ()
  }) {sym_name = "k", gpu.kernel} : () -> ()
}) : () -> ()
