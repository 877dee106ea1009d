// RUN: hologram-opt %s
// EXIT: 1
// ERROR: one dictionary for each argument
"llvm.func"() <{sym_name = "f", function_type = !llvm.func<void (i32)>, arg_attrs = []}> ({}) : () -> ()
