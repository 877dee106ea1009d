// RUN: hologram-opt %s -p convert-atlas-to-core
// EXIT: 1
// ERROR: :5:1: error: 'atlas.program' has branches between blocks.* \[core-branches\]

atlas.program @p() {
  atlas.bra ^a
^a:
}
