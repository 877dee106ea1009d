; RUN: hologram-run %s
; EXIT: 1
; ERROR: is for wasm32-unknown-unknown, this machine is

target triple = "wasm32-unknown-unknown"
