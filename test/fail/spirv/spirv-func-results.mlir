// RUN: hologram-opt %s
// EXIT: 1
// ERROR: @f has more than one result
"spirv.module"() <{addressing_model = #spirv.addressing_model<Logical>, memory_model = #spirv.memory_model<GLSL450>}> ({
  "spirv.func"() <{function_type = (i32) -> (i32, i32), sym_name = "f", function_control = #spirv.function_control<None>}> ({
  ^bb0(%x: i32):
    spirv.Return
  }) : () -> ()
}) : () -> ()
