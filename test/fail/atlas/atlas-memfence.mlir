// RUN: hologram-opt %s
// EXIT: 1
// ERROR: :6:3: error: 'atlas\.memfence' has no scope 'grid' \[atlas-memfence\]

atlas.program @p() {
  "atlas.memfence"() <{scope = "grid"}> : () -> ()
}
