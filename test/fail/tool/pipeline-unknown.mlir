// RUN: hologram-opt --show-pipeline hologram-to-cup
// EXIT: 2
// ERROR: there is no pipeline 'hologram-to-cup'
// ERROR: did you mean 'hologram-to-cpu'

func.func @f(%a: i32) -> i32 {
  func.return %a : i32
}
