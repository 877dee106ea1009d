// RUN: hologram-opt %s
// EXIT: 1
// ERROR: :4:1: error: .*2 shared arrays have no length, and the launch sizes one
atlas.program @p() block [4, 1, 1] {
  %s = atlas.alloca : memref<?xf32, #atlas.space<shared>>
  %t = atlas.alloca : memref<?xi32, #atlas.space<shared>>
}
