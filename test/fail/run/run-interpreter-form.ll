; RUN: hologram-run %s --device interpreter
; EXIT: 2
; ERROR: the interpreter takes MLIR

define void @main() {
  ret void
}
