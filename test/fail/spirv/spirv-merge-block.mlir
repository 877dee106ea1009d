// RUN: hologram-opt %s
// EXIT: 1
// ERROR: the last block of spirv.mlir.selection must hold spirv.mlir.merge
"spirv.module"() <{addressing_model = #spirv.addressing_model<Logical>, memory_model = #spirv.memory_model<GLSL450>}> ({
  "spirv.func"() <{function_type = (i32) -> (), sym_name = "f", function_control = #spirv.function_control<None>}> ({
  ^bb0(%x: i32):
    "spirv.mlir.selection"() <{selection_control = #spirv.selection_control<None>}> ({
      spirv.Return
    }) : () -> ()
    spirv.Return
  }) : () -> ()
}) : () -> ()
