// RUN: hologram-opt %s
// EXIT: 1
// ERROR: a loop has an entry, a header, a continue and a merge block
"spirv.module"() <{addressing_model = #spirv.addressing_model<Logical>, memory_model = #spirv.memory_model<GLSL450>}> ({
  "spirv.func"() <{function_type = (i32) -> (), sym_name = "f", function_control = #spirv.function_control<None>}> ({
  ^bb0(%x: i32):
    "spirv.mlir.loop"() <{loop_control = #spirv.loop_control<None>}> ({
      "spirv.Branch"() [^merge] : () -> ()
    ^merge:
      "spirv.mlir.merge"() : () -> ()
    }) : () -> ()
    spirv.Return
  }) : () -> ()
}) : () -> ()
