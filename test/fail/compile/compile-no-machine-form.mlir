// RUN: hologram-compile %s -o x.atlas
// ERROR: '.*compile-no-machine-form.mlir' has no form 'atlas-asm': it has no lane programs
func.func @main(%x: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %v = memref.load %x[%c0] : memref<?xf32>
  memref.store %v, %x[%c0] : memref<?xf32>
  return
}
