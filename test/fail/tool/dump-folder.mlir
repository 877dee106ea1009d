// RUN: hologram-opt %s --dump-stages-to %s/stages -p cse
// EXIT: 2
// ERROR: the folder '.*stages' can't be made: Not a directory

func.func @f(%a: i32) -> i32 {
  func.return %a : i32
}
