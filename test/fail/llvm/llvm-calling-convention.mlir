// RUN: hologram-opt %s
// EXIT: 1
// ERROR: no calling convention 'fastc'
"llvm.func"() <{sym_name = "f", function_type = !llvm.func<void ()>, CConv = #llvm.cconv<fastc>}> ({}) : () -> ()
