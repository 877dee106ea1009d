// RUN: hologram-opt %s
// EXIT: 1
// ERROR: dominance-isolated.mlir:7:5: error: 'test.op' uses %a from outside of 'func.func'

func.func @f(%a: i32) {
  func.func @inner() {
    "test.op"(%a) : (i32) -> ()
    func.return
  }
  func.return
}
