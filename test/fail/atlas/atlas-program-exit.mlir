// RUN: hologram-opt %s
// EXIT: 1
// ERROR: :5:1: error: a program has nothing to yield to: it ends in 'atlas\.exit' \[atlas-program-exit\]

atlas.program @p() {
  atlas.yield
}
