// RUN: hologram-run %s --arg f32[N]=ones --sweep N=4 --output x.npy
// EXIT: 2
// ERROR: --sweep runs a file many times and keeps no results
func.func @main(%x: tensor<?xf32>) -> tensor<?xf32> { func.return %x : tensor<?xf32> }
