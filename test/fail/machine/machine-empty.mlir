// RUN: hologram-opt %s
// EXIT: 1
// ERROR: :5:1: error: 'p' has no body \[machine-empty\]

"machine.program"() <{sym_name = "p", parameters = []}> ({}) : () -> ()
