// RUN: hologram-opt %s -p convert-algebra-to-torus
// EXIT: 1
// ERROR: :6:3: error: a linear convolution of !algebra\.residue<18446744073709551629> can't be compiled \[algebra-convolve-wide\]

func.func @f(%a: tensor<2x!algebra.residue<18446744073709551629>>) -> tensor<3x!algebra.residue<18446744073709551629>> {
  %c = algebra.convolve %a, %a : (tensor<2x!algebra.residue<18446744073709551629>>, tensor<2x!algebra.residue<18446744073709551629>>) -> tensor<3x!algebra.residue<18446744073709551629>>
  func.return %c : tensor<3x!algebra.residue<18446744073709551629>>
}
