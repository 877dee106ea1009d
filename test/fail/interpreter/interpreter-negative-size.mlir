// RUN: hologram-run %s --device interpreter --arg '-1'
// EXIT: 1
// ERROR: 'memref\.alloc' asks for a shape of \(-1,\)
func.func @f(%n: index) {
  %a = memref.alloc(%n) : memref<?xf32>
  func.return
}
