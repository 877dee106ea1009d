// RUN: hologram-opt %s
// EXIT: 1
// ERROR: as many elements of kind bool as its operand has, not i32
"spirv.module"() <{addressing_model = #spirv.addressing_model<Logical>, memory_model = #spirv.memory_model<GLSL450>}> ({
  "spirv.func"() <{function_type = (i32) -> (), sym_name = "f", function_control = #spirv.function_control<None>}> ({
  ^bb0(%x: i32):
    %0 = "spirv.IEqual"(%x, %x) : (i32, i32) -> i32
    spirv.Return
  }) : () -> ()
}) : () -> ()
