// RUN: hologram-opt %s
// EXIT: 1
// ERROR: :6:57: error: a pointer is to a float .*, not to index \[atlas-pointer-element\]

atlas.program @p(%m: memref<4xf32>) {
  %v = builtin.unrealized_conversion_cast to !atlas.ptr<index, global>
}
