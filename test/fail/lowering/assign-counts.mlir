// RUN: hologram-opt %s -p "assign-registers{registers=4}"
// EXIT: 2
// ERROR: error: assign-registers uses 8 to 256 registers and 4 to 16 predicates, not 4 and 16.* \[assign-counts\]

atlas.program @p() {
}
