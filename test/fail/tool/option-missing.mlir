// RUN: hologram-opt %s -p 'cse, scf-parallel-loop-tiling'
// EXIT: 2
// ERROR: -p:1:6: error: pass 'scf-parallel-loop-tiling' needs its option 'parallel_loop_tile_sizes'
// ERROR: hint: write scf-parallel-loop-tiling{parallel_loop_tile_sizes=...}

func.func @f(%a: i32) -> i32 {
  func.return %a : i32
}
