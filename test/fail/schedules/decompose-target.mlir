// RUN: hologram-opt %s -p decompose-atlas{target=gpus}
// EXIT: 2
// ERROR: there is no target 'gpus' of decompose-atlas \[decompose-target\]
// ERROR: did you mean 'gpu'

func.func @f() {
  func.return
}
