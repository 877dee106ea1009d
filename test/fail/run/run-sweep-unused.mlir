// RUN: hologram-run %s --arg f32[4]=ones --sweep N=4
// EXIT: 2
// ERROR: no --arg has the size N
func.func @main(%x: tensor<?xf32>) -> tensor<?xf32> { func.return %x : tensor<?xf32> }
