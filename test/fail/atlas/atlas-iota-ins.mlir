// RUN: hologram-opt %s
// EXIT: 1
// ERROR: :7:3: error: 'atlas\.copy' works on arrays, and !atlas\.iota<i32> is none \[atlas-iota-ins\]

func.func @f(%m: memref<4xi32>) {
  %i = atlas.iota : !atlas.iota<i32>
  atlas.copy ins(%i : !atlas.iota<i32>) outs(%m : memref<4xi32>)
  func.return
}
