// RUN: hologram-opt %s
// EXIT: 1
// ERROR: :5:35: error: expected a torus by its integers' width, such as w32, found 'w48' \[torus-family\]

func.func private @f(!torus.coord<w48>)
