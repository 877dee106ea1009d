// RUN: hologram-compile %s --check --types f32,f64
// EXIT: 2
// ERROR: no kernel has an element type that may be f32 or f64, as --types says
// ERROR: hint: declare one by T = Element

func.func @main(%x: tensor<?xf32>) -> tensor<?xf32> {
  func.return %x : tensor<?xf32>
}
