// RUN: hologram-opt %s -p convert-atlas-to-core
// EXIT: 1
// ERROR: :8:7: error: 'atlas.exit' ends a lane.* \[core-exit-place\]

atlas.program @p(%c: i1) block [8, 1, 1] {
  scf.if %c {
    atlas.if %c {
      atlas.exit
    }
  }
}
