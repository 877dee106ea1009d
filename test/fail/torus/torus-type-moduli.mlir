// RUN: hologram-opt %s
// EXIT: 1
// ERROR: :5:43: error: the moduli 48 and 100 make no torus \[torus-type-moduli\]

func.func private @f(!torus.coord<48, 100>)
