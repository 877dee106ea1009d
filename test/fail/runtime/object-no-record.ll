; RUN: hologram-run %s
; EXIT: 1
; ERROR: has no entry record: the symbol 'hologram_entries' is missing

define void @main() {
  ret void
}
