// RUN: hologram-opt %s -p 'hologram-to-cpu,hologram-to-cuda'
// EXIT: 2
// ERROR: 'hologram-to-cuda' begins with stage 'shapes', but 'hologram-to-cpu' before it has gone to 'llvm' \[pipeline-again\]
// ERROR: hint: run one of them

func.func @f(%a: i32) -> i32 {
  func.return %a : i32
}
