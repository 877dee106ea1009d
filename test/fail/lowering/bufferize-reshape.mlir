// RUN: hologram-opt %s -p bufferize
// EXIT: 1
// ERROR: :6:3: error: a reshape needs a size for each dynamic axis of its result here \[bufferize-reshape\]

func.func @f(%a: tensor<?x4xf32>) -> tensor<?xf32> attributes {hologram.results = ["(a[0] * 4,)"]} {
  %r = hologram.reshape %a : tensor<?x4xf32> to tensor<?xf32>
  func.return %r : tensor<?xf32>
}
