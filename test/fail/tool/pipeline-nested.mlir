// RUN: hologram-opt %s -p 'func.func(hologram-to-cpu)'
// EXIT: 2
// ERROR: 'hologram-to-cpu' runs on a whole module, not on 'func\.func' \[pipeline-nested\]
// ERROR: hint: write it outside of 'func\.func\(\.\.\.\)'

func.func @f(%a: i32) -> i32 {
  func.return %a : i32
}
