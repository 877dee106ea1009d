// RUN: hologram-opt %s
// EXIT: 1
// ERROR: a global variable has a type of pointers, not f32
"spirv.module"() <{addressing_model = #spirv.addressing_model<Logical>, memory_model = #spirv.memory_model<GLSL450>}> ({
  "spirv.GlobalVariable"() <{type = f32, sym_name = "v"}> : () -> ()
}) : () -> ()
