// RUN: hologram-opt %s
// EXIT: 1
// ERROR: no predicate 'less'
llvm.func @f(%x: i8) {
  %y = llvm.icmp "less" %x, %x : i8
  llvm.return
}
