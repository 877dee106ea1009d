"""The named operations of linalg: a row each, of which all else follows: the loops, the maps of the operands, the body.

The words of a row are the name, the loops, and the indices of each operand, the outputs after `->`. `h~y` is a window:
the loop `h` times its stride, plus the loop `y` times its dilation. `-` is an operand that is one number. Without
strides and dilations, `h+y` is their sum. Upstream makes its operations of a file of rows in the same way.
"""

from __future__ import annotations

CONVOLUTIONS = """
conv_1d | w x | w+x, x -> w
conv_2d | h w y x | h+y w+x, y x -> h w
conv_3d | d h w z y x | d+z h+y w+x, z y x -> d h w
conv_1d_nwc_wcf | n w f x c | n w~x c, x c f -> n w f
conv_1d_ncw_fcw | n f w c x | n c w~x, f c x -> n f w
conv_2d_nhwc_hwcf | n h w f y x c | n h~y w~x c, y x c f -> n h w f
conv_2d_nhwc_fhwc | n h w f y x c | n h~y w~x c, f y x c -> n h w f
conv_2d_nchw_fchw | n f h w c y x | n c h~y w~x, f c y x -> n f h w
conv_2d_ngchw_fgchw | n g f h w c y x | n g c h~y w~x, f g c y x -> n g f h w
conv_2d_ngchw_gfchw | n g f h w c y x | n g c h~y w~x, g f c y x -> n g f h w
conv_2d_nhwgc_gfhwc | n h w g f y x c | n h~y w~x g c, g f y x c -> n h w g f
conv_3d_ndhwc_dhwcf | n d h w f z y x c | n d~z h~y w~x c, z y x c f -> n d h w f
conv_3d_ncdhw_fcdhw | n f d h w c z y x | n c d~z h~y w~x, f c z y x -> n f d h w
depthwise_conv_1d_nwc_wc | n w c x | n w~x c, x c -> n w c
depthwise_conv_1d_ncw_cw | n w c x | n c w~x, c x -> n c w
depthwise_conv_1d_nwc_wcm | n w c m x | n w~x c, x c m -> n w c m
depthwise_conv_2d_nhwc_hwc | n h w c y x | n h~y w~x c, y x c -> n h w c
depthwise_conv_2d_nchw_chw | n h w c y x | n c h~y w~x, c y x -> n c h w
depthwise_conv_2d_nhwc_hwcm | n h w c m y x | n h~y w~x c, y x c m -> n h w c m
depthwise_conv_3d_ndhwc_dhwc | n d h w z y x c | n d~z h~y w~x c, z y x c -> n d h w c
depthwise_conv_3d_ncdhw_cdhw | n d h w z y x c | n c d~z h~y w~x, c z y x -> n c d h w
depthwise_conv_3d_ndhwc_dhwcm | n d h w m z y x c | n d~z h~y w~x c, z y x c m -> n d h w c m
"""
"""Sums of products of a window and a kernel."""

QUANTIZED_CONVOLUTIONS = """
conv_2d_nhwc_hwcf_q | n h w f y x c | n h~y w~x c, y x c f, -, - -> n h w f
conv_2d_nhwc_fhwc_q | n h w f y x c | n h~y w~x c, f y x c, -, - -> n h w f
conv_2d_nchw_fchw_q | n f h w c y x | n c h~y w~x, f c y x, -, - -> n f h w
conv_2d_ngchw_gfchw_q | n g f h w c y x | n g c h~y w~x, g f c y x, -, - -> n g f h w
conv_2d_nhwgc_gfhwc_q | n h w g f y x c | n h~y w~x g c, g f y x c, -, - -> n h w g f
conv_3d_ndhwc_dhwcf_q | n d h w f z y x c | n d~z h~y w~x c, z y x c f, -, - -> n d h w f
depthwise_conv_2d_nhwc_hwc_q | n h w c y x | n h~y w~x c, y x c, -, - -> n h w c
depthwise_conv_2d_nhwc_hwcm_q | n h w c m y x | n h~y w~x c, y x c m, -, - -> n h w c m
quantized_matmul | m n k | m k, k n, -, - -> m n
quantized_batch_matmul | b m n k | b m k, b k n, -, - -> b m n
"""
"""Sums of products of values less their zero points, the last two inputs."""

PRODUCTS = """
dot | m | m, m ->
matvec | m n | m n, n -> m
vecmat | n m | m, m n -> n
batch_matvec | b m k | b m k, b k -> b m
batch_vecmat | b n k | b k, b k n -> b n
mmt4d | m n k a b c | m k a c, n k b c -> m n a b
batch_mmt4d | q m n k a b c | q m k a c, q n k b c -> q m n a b
"""
"""Sums of products that have these indices always."""

MATRIX_PRODUCTS = """
matmul | m n k | m k, k n -> m n
batch_matmul | b m n k | b m k, b k n -> b m n
batch_reduce_matmul | b m n k | b m k, b k n -> m n
"""
"""Sums of products with these indices where `indexing_maps` says no others."""

POOLINGS = """
pooling_nhwc | n h w c y x | n h~y w~x c, y x -> n h w c
pooling_nchw | n c h w y x | n c h~y w~x, y x -> n c h w
pooling_nwc | n w c x | n w~x c, x -> n w c
pooling_ncw | n c w x | n c w~x, x -> n c w
pooling_ndhwc | n d h w c z y x | n d~z h~y w~x c, z y x -> n d h w c
"""
"""Windows that are summed up, or whose largest or smallest element is taken: the stems of the names."""

POOLED = {
    "pooling_nhwc": "sum max max_unsigned min min_unsigned",
    "pooling_nchw": "sum max",
    "pooling_nwc": "sum max max_unsigned min min_unsigned",
    "pooling_ncw": "sum max",
    "pooling_ndhwc": "sum max min",
}
"""What is made of each kind of window."""

UNARY = "exp log abs ceil floor negf reciprocal round sqrt rsqrt square tanh erf".split()
BINARY = "add sub mul div div_unsigned max min powf".split()
