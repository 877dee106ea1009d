; RUN: hologram-compile %s -o x.holo
; ERROR: '.*compile-code-source.ll' holds code for one machine
; ERROR: hint: compile its MLIR
define void @main() {
  ret void
}
