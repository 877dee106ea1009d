// RUN: hologram-opt %s -p scf-parallel-loop-tiling{parallel-loop-tile-sizes=4,four}
// EXIT: 2
// ERROR: option 'parallel-loop-tile-sizes' of pass 'scf-parallel-loop-tiling' is values with commas between, each a whole number, and not '4,four'

func.func @f(%a: i32) -> i32 {
  func.return %a : i32
}
