// RUN: hologram-opt %s
// EXIT: 1
// ERROR: :7:3: error: 'atlas\.ldg' of f64 needs a memref of f64, found memref<4xf32> \[atlas-access-type\]

atlas.program @p(%m: memref<4xf32>) {
  %i = atlas.special gid : i64
  %v = atlas.ldg f64 %m[%i : i64] : memref<4xf32>
}
