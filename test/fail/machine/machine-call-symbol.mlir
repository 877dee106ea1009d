// RUN: hologram-opt %s
// EXIT: 1
// ERROR: :6:3: error: there is no function 'twcie' \[machine-call-symbol\]

machine.program @p() {
  machine.call @twcie() : () -> ()
  machine.exit
}
machine.func @twice() {
  machine.ret
}
