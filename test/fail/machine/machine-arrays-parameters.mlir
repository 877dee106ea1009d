// RUN: hologram-opt %s
// EXIT: 1
// ERROR: :5:1: error: a parameter is an array \(f32\[\?\]\) or a scalar of an ISA type \(f32\) \[machine-arrays-parameters\]

"machine.arrays"() <{sym_name = "p", parameters = [i32]}> ({
^bb0:
}) : () -> ()
