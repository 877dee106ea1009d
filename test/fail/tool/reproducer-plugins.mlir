// RUN: hologram-opt %s --run-reproducer
// EXIT: 1
// ERROR: needs the plug-in 'nowhere', which is not loaded
// ERROR: hint: if you trust its code, give --load-plugin FILE

func.func @f() {
  func.return
}

{-#
  external_resources: {
    mlir_reproducer: {
      pipeline: "builtin.module(cse)",
      verify_each: true,
      plugins: "nowhere"
    }
  }
#-}
