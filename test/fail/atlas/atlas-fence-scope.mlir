// RUN: hologram-opt %s
// EXIT: 1
// ERROR: :6:18: error: expected the scope of a fence, found 'blocks' \[atlas-fence-scope\]

atlas.program @p() {
  atlas.memfence blocks
}
