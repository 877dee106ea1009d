// RUN: hologram-opt %s --allow-unregistered-dialect
// EXIT: 1
// ERROR: :5:1: error: a block of 'p' ends in no machine terminator \(exit, bra, \.\.\.\) \[machine-block-end\]

machine.program @p() {
  "test.stop"() : () -> ()
}
