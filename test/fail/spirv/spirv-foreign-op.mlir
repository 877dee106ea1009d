// RUN: hologram-opt %s -t spirv -o /dev/null
// EXIT: 1
// ERROR: 'arith.constant' has no binary form
"spirv.module"() <{addressing_model = #spirv.addressing_model<Logical>, memory_model = #spirv.memory_model<GLSL450>, vce_triple = #spirv.vce<v1.5, [Shader], []>}> ({
  "spirv.func"() <{function_type = () -> (), sym_name = "f", function_control = #spirv.function_control<None>}> ({
    %0 = arith.constant 1 : i32
    spirv.Return
  }) : () -> ()
}) : () -> ()
