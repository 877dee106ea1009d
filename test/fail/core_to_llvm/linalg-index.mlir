// RUN: hologram-opt %s
// EXIT: 1
// ERROR: 'linalg.index' asks for loop 1, and there are 1 loops around it \[linalg-index\]

func.func @f(%o: memref<4xindex>) {
  linalg.generic {indexing_maps = [affine_map<(i) -> (i)>], iterator_types = ["parallel"]} outs(%o : memref<4xindex>) {
  ^bb0(%x: index):
    %0 = linalg.index 1 : index
    linalg.yield %0 : index
  }
  func.return
}
