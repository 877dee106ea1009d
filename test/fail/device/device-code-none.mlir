// RUN: hologram-opt %s -t ptx
// EXIT: 1
// ERROR: code for devices is printed of gpu.modules, and there are none
// ERROR: hint: .*'hologram-to-cuda{to=device}'

func.func @f(%x: tensor<?xf32>) -> tensor<?xf32> {
  %r = hologram.neg %x : tensor<?xf32>
  func.return %r : tensor<?xf32>
}
