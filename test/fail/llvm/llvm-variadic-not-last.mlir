// RUN: hologram-opt %s
// EXIT: 1
// ERROR: must be the last
"llvm.func"() <{sym_name = "f", function_type = !llvm.func<void (..., i32)>}> ({}) : () -> ()
