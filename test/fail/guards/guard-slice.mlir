// RUN: hologram-run %s
// EXIT: 1
// ERROR: into a tensor<\?xf32> is at a place along axis 0 that nothing proves
// ERROR: hint: .*give static sizes

func.func @main(%i: index, %s: index, %t: tensor<3xf32>, %u: tensor<?xf32>) -> tensor<?xf32> {
  %r = "tensor.insert_slice"(%t, %u, %i, %s) <{static_offsets = array<i64: -9223372036854775808>, static_sizes = array<i64: 3>, static_strides = array<i64: -9223372036854775808>, operandSegmentSizes = array<i32: 1, 1, 1, 0, 1>}> : (tensor<3xf32>, tensor<?xf32>, index, index) -> tensor<?xf32>
  func.return %r : tensor<?xf32>
}
