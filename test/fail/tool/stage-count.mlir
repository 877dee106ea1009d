// RUN: hologram-opt %s -p 'hologram-to-cpu{from}'
// EXIT: 2
// ERROR: 'from' of 'hologram-to-cpu' takes one stage, not 0 \[stage-count\]
// ERROR: hint: its stages are shapes, atlas

func.func @f(%a: i32) -> i32 {
  func.return %a : i32
}
