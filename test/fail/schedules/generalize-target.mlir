// RUN: hologram-opt %s -p generalize-atlas{target=gpus}
// EXIT: 2
// ERROR: there is no target 'gpus' of generalize-atlas \[generalize-target\]
// ERROR: did you mean 'gpu'

func.func @f() {
  func.return
}
