// RUN: hologram-run %s
// EXIT: 1
// ERROR: 'func.call' of @part has a mark of our own passes
// ERROR: hint: .*--unsafe-memory

func.func private @part(%a: index, %b: index) {
  func.return
}

func.func @main(%n: index, %x: memref<?xf32>) {
  func.call @part(%n, %n) {hologram.parallel} : (index, index) -> ()
  func.return
}
