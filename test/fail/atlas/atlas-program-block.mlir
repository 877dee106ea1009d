// RUN: hologram-opt %s
// EXIT: 1
// ERROR: :5:1: error: the block \[256, 0, 1\] needs three sizes of at least 1 \[atlas-program-block\]

atlas.program @p() block [256, 0, 1] {
}
