// RUN: hologram-opt %s
// EXIT: 1
// ERROR: :6:3: error: 'algebra\.convolve' can't convolve shapes \(\?\) and \(\?\) \[algebra-convolve-shapes\]

func.func @f(%a: tensor<?x!torus.coord>) {
  %c = algebra.convolve %a, %a : tensor<?x!torus.coord>
  func.return
}
