// RUN: hologram-opt %s -p convert-algebra-to-torus
// EXIT: 1
// ERROR: :6:3: error: a constant tensor of !algebra\.residue<18446744073709551629> can't be compiled: dense constants hold 64 bits \[ring-constant-wide\]

func.func @f() -> tensor<2x!algebra.residue<18446744073709551629>> {
  %c = algebra.constant [1, 2] : tensor<2x!algebra.residue<18446744073709551629>>
  func.return %c : tensor<2x!algebra.residue<18446744073709551629>>
}
