// RUN: hologram-opt %s
// EXIT: 1
// ERROR: spirv.ImageFetch can't read a !spirv.image<.*>: it needs one with NeedSampler
"spirv.module"() <{addressing_model = #spirv.addressing_model<Logical>, memory_model = #spirv.memory_model<GLSL450>}> ({
  "spirv.func"() <{function_type = (!spirv.image<f32, Buffer, NoDepth, NonArrayed, SingleSampled, NoSampler, Rgba32f>, i32) -> (), sym_name = "f", function_control = #spirv.function_control<None>}> ({
  ^bb0(%x: !spirv.image<f32, Buffer, NoDepth, NonArrayed, SingleSampled, NoSampler, Rgba32f>, %i: i32):
    %0 = spirv.ImageFetch %x, %i : !spirv.image<f32, Buffer, NoDepth, NonArrayed, SingleSampled, NoSampler, Rgba32f>, i32 -> vector<4xf32>
    spirv.Return
  }) : () -> ()
}) : () -> ()
