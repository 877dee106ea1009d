// RUN: hologram-opt %s
// EXIT: 1
// ERROR: :9:3: error: 'machine\.loop' decrements one register, in its place \[machine-loop-counter\]

machine.program @p() {
  %a = machine.get : !machine.reg<r1, 2>
  machine.fall ^bb1
^bb1:
  %b = machine.loop <u32> %a ^bb1, ^bb2 : !machine.reg<r1, 2> -> !machine.reg<r1, 2>
^bb2:
  machine.exit
}
