// RUN: hologram-opt %s -t llvm-ir
// EXIT: 1
// ERROR: the entry block of a function can't be the target
llvm.func @f() {
  llvm.br ^next
^next:
  llvm.return
}
"llvm.func"() <{sym_name = "g", function_type = !llvm.func<void ()>}> ({
^entry:
  "llvm.br"() [^entry] : () -> ()
}) : () -> ()
