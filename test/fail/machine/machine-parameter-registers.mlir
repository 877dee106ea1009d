// RUN: hologram-opt %s
// EXIT: 1
// ERROR: :5:1: error: the scalars of 'p' arrive in \(!machine\.reg<r1>\), expected \(!machine\.reg<2>\) \[machine-parameter-registers\]

machine.program @p(%k: u128 in !machine.reg<r1>) {
  machine.exit
}
