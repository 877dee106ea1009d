// RUN: hologram-opt %s
// EXIT: 1
// ERROR: spirv.Load has a value of type i32, but the pointer is a
"spirv.module"() <{addressing_model = #spirv.addressing_model<Logical>, memory_model = #spirv.memory_model<GLSL450>}> ({
  "spirv.func"() <{function_type = (!spirv.ptr<f32, Function>) -> (), sym_name = "f", function_control = #spirv.function_control<None>}> ({
  ^bb0(%x: !spirv.ptr<f32, Function>):
    %0 = "spirv.Load"(%x) : (!spirv.ptr<f32, Function>) -> i32
    spirv.Return
  }) : () -> ()
}) : () -> ()
