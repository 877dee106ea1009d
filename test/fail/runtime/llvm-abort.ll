; RUN: hologram-run %s
; EXIT: 1
; ERROR: llvm-abort.ll: error: LLVM gave up on it: .*amdgcn
; ERROR: hint: it is damaged, or uses what this processor has not

; An instruction of another processor, on which LLVM ends the process that compiles it.
declare i32 @llvm.amdgcn.workitem.id.x()
define i32 @main() {
  %r = call i32 @llvm.amdgcn.workitem.id.x()
  ret i32 %r
}
