// RUN: hologram-opt %s
// EXIT: 1
// ERROR: differ from the function's type
"llvm.func"() <{sym_name = "f", function_type = !llvm.func<void (i32)>}> ({
^entry(%x: f32):
  "llvm.return"() : () -> ()
}) : () -> ()
