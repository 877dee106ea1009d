// RUN: hologram-opt %s -p convert-hologram-to-atlas
// EXIT: 1
// ERROR: :9:3: error: the shape of a result depends on computed values \[result-shape-unknown\]

func.func private @rows() -> tensor<?xf32>
func.func @f() -> tensor<?xf32> {
  %a = func.call @rows() : () -> tensor<?xf32>
  %r = hologram.neg %a : tensor<?xf32>
  func.return %r : tensor<?xf32>
}
