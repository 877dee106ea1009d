// RUN: hologram-opt %s -p convert-atlas-to-core
// EXIT: 1
// ERROR: :6:3: error: lanes may exit in a loop of unknown length with a barrier.* \[core-repeat-exit\]

atlas.program @p(%p: i1, %q: i1) block [8, 1, 1] {
  atlas.repeat {
    atlas.if %p {
      atlas.exit
    }
    atlas.bar.sync 0
    atlas.yield %q : i1
  }
}
