// RUN: hologram-opt %s
// EXIT: 1
// ERROR: argument 0 .* type index
"llvm.func"() <{sym_name = "f", function_type = !llvm.func<void (index)>}> ({}) : () -> ()
