// RUN: hologram-opt %s -p cse --mlir-print-ir-after=csse
// EXIT: 2
// ERROR: there is no pass 'csse' to print IR around
// ERROR: did you mean 'cse'

func.func @f(%a: i32) -> i32 {
  func.return %a : i32
}
