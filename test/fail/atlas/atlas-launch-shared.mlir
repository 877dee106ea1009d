// RUN: hologram-opt %s
// EXIT: 1
// ERROR: :6:3: error: .*the launch gives shared bytes, but @p has no shared array without a length
func.func @main() {
  %one = arith.constant 1 : index
  atlas.launch @p grid(%one, %one, %one) shared(%one)
  func.return
}
atlas.program @p() block [4, 1, 1] {
  %s = atlas.alloca : memref<4xf32, #atlas.space<shared>>
}
