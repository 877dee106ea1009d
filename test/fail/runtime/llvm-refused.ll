; RUN: hologram-run %s
; EXIT: 1
; ERROR: llvm-refused.ll:6:\d+: error: LLVM refuses it
; ERROR: \^
define void @main() {
  ret i32 3
}
