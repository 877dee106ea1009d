// RUN: hologram-opt %s
// EXIT: 1
// ERROR: spirv.ImageFetch gives a vector<2xf32>, and not four f32
"spirv.module"() <{addressing_model = #spirv.addressing_model<Logical>, memory_model = #spirv.memory_model<GLSL450>}> ({
  "spirv.func"() <{function_type = (!spirv.image<f32, Buffer, NoDepth, NonArrayed, SingleSampled, NeedSampler, Unknown>, i32) -> (), sym_name = "f", function_control = #spirv.function_control<None>}> ({
  ^bb0(%x: !spirv.image<f32, Buffer, NoDepth, NonArrayed, SingleSampled, NeedSampler, Unknown>, %i: i32):
    %0 = spirv.ImageFetch %x, %i : !spirv.image<f32, Buffer, NoDepth, NonArrayed, SingleSampled, NeedSampler, Unknown>, i32 -> vector<2xf32>
    spirv.Return
  }) : () -> ()
}) : () -> ()
