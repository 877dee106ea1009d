// RUN: hologram-opt %s
// EXIT: 1
// ERROR: :5:1: error: a parameter is an array \(f32\[\?\]\) or a scalar of an ISA type \(f32\) \[machine-parameters\]

"machine.program"() <{sym_name = "p", parameters = [f32]}> ({
  machine.exit
}) : () -> ()
