// RUN: hologram-opt %s
// EXIT: 1
// ERROR: 'linalg.pack' does not fit its types: axis 0 of tensor<16xf32> makes 2 tiles, and tensor<3x8xf32> has 3 \[linalg-pack\]

func.func @f(%x: tensor<16xf32>, %o: tensor<3x8xf32>) {
  %0 = linalg.pack %x inner_dims_pos = [0] inner_tiles = [8] into %o : tensor<16xf32> -> tensor<3x8xf32>
  func.return
}
