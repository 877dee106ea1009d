# RUN: hologram-run %s
# EXIT: 1
# ERROR: llvm-abort.s:5:\d+: error: LLVM gave up
# ERROR: frobnicate
  frobnicate
