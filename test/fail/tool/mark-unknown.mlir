// RUN: hologram-opt %s -p 'hologram-to-cpu{from=clean to=clean}'
// EXIT: 1
// ERROR: mark-unknown.mlir:7:3: error: 'func.call' has the attribute 'hologram.paralel' after stage 'clean' of hologram-to-cpu
// ERROR: did you mean 'hologram.parallel'

func.func @f(%i: index) {
  func.call @g(%i, %i) {hologram.paralel} : (index, index) -> ()
  func.return
}
func.func private @g(%i: index, %j: index)
