// RUN: hologram-opt %s
// EXIT: 1
// ERROR: :6:3: error: 'machine\.copy' names 1 registers and reads 0 \[machine-array-operands\]

"machine.arrays"() <{sym_name = "p", parameters = []}> ({
  "machine.copy"() <{outs = ["buf0"], ins = ["reg"]}> : () -> ()
}) : () -> ()
