// ARGS: 100000000 [1,2,3]:f32 [1,2,3,4,5]:f32
// WANT: trap offset 100000000 is past 2

func.func @main(%i: index, %t: tensor<3xf32>, %u: tensor<5xf32>) -> tensor<5xf32> {
  %r = "tensor.insert_slice"(%t, %u, %i) <{static_offsets = array<i64: -9223372036854775808>, static_sizes = array<i64: 3>, static_strides = array<i64: 1>, operandSegmentSizes = array<i32: 1, 1, 1, 0, 0>}> : (tensor<3xf32>, tensor<5xf32>, index) -> tensor<5xf32>
  func.return %r : tensor<5xf32>
}
