// RUN: hologram-run %s --device interpreter
// EXIT: 1
// ERROR: :7:3: error: .*2\^31 or more shared bytes: 18446744073709551615
func.func @main() {
  %one = arith.constant 1 : index
  %less = arith.constant -1 : index
  atlas.launch @p grid(%one, %one, %one) shared(%less)
  func.return
}
atlas.program @p() block [4, 1, 1] {
  %s = atlas.alloca : memref<?xf32, #atlas.space<shared>>
}
