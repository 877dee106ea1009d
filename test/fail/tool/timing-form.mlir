// RUN: hologram-opt %s --timing=xml
// EXIT: 2
// ERROR: --timing takes text or json, not 'xml'

func.func @f(%a: i32) -> i32 {
  func.return %a : i32
}
