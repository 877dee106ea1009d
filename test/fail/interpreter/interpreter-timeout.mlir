// RUN: hologram-run %s --device interpreter --arg f64[2]=zeros --timeout 0.1
// EXIT: 1
// ERROR: the interpreter was stopped: its time was over \[interpreter-timeout\]
func.func @main(%a: memref<2xf64>) {
  %c0 = arith.constant 0 : index
  %z = arith.constant 0.0 : f64
  scf.while () : () -> () {
    %v = memref.load %a[%c0] : memref<2xf64>
    %c = arith.cmpf oeq, %v, %z : f64
    scf.condition(%c)
  } do {
    memref.store %z, %a[%c0] : memref<2xf64>
    scf.yield
  }
  return
}
