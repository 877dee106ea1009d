// RUN: hologram-opt %s
// EXIT: 1
// ERROR: a constant of type f32 has a result of i32
"spirv.module"() <{addressing_model = #spirv.addressing_model<Logical>, memory_model = #spirv.memory_model<GLSL450>}> ({
  "spirv.func"() <{function_type = (i32) -> (), sym_name = "f", function_control = #spirv.function_control<None>}> ({
  ^bb0(%x: i32):
    %0 = "spirv.Constant"() <{value = 1.0 : f32}> : () -> i32
    spirv.Return
  }) : () -> ()
}) : () -> ()
