// RUN: hologram-opt %s
// EXIT: 1
// ERROR: :7:3: error: a lane has no predicate p16 \[machine-predicate-range\]

machine.program @p() {
  %p = machine.get : !machine.pred<p16>
  machine.exit
}
