// RUN: hologram-opt %s -t spirv -o /dev/null
// EXIT: 1
// ERROR: does not say which version and capabilities it needs
"spirv.module"() <{addressing_model = #spirv.addressing_model<Logical>, memory_model = #spirv.memory_model<GLSL450>}> ({
  "spirv.func"() <{function_type = () -> (), sym_name = "f", function_control = #spirv.function_control<None>}> ({
    spirv.Return
  }) : () -> ()
}) : () -> ()
