// RUN: hologram-opt %s
// EXIT: 1
// ERROR: can't return type index
"llvm.func"() <{sym_name = "f", function_type = !llvm.func<index ()>}> ({}) : () -> ()
