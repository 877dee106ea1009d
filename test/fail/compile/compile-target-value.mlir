// RUN: hologram-compile %s --check --target webgpu{bindings=many}
// EXIT: 2
// ERROR: --target:1:1: error: option 'bindings' of target 'webgpu' is a whole number, not 'many'
// ERROR: hint: it is 8 unless it is given

func.func @main(%x: tensor<?xf32>) -> tensor<?xf32> {
  func.return %x : tensor<?xf32>
}
