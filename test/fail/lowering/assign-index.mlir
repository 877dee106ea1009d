// RUN: hologram-opt %s -p "assign-registers"
// EXIT: 1
// ERROR: :6:3: error: 'atlas.ldg' works on a value of type index.* \[assign-index\]

atlas.program @p(%x: memref<?xi32>, %i: index) {
  %v = atlas.ldg i32 %x[%i : index] : memref<?xi32>
}
