// RUN: hologram-opt %s
// EXIT: 1
// ERROR: :5:41: error: a modulus is 1 to 2\^2048, found 0 \[algebra-modulus\]

func.func private @f(!algebra.residue<0>)
