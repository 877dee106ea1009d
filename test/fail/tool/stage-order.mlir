// RUN: hologram-opt %s -p 'hologram-to-cpu{from=core to=atlas}'
// EXIT: 2
// ERROR: can't go from stage 'core' to 'atlas', which is before it \[stage-order\]
// ERROR: hint: its stages are shapes, atlas

func.func @f(%a: i32) -> i32 {
  func.return %a : i32
}
