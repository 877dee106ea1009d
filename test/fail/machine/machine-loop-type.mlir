// RUN: hologram-opt %s
// EXIT: 1
// ERROR: :9:3: error: 'machine\.loop' counts in u32 or u64, not in f32 \[machine-loop-type\]

machine.program @p() {
  %a = machine.get : !machine.reg<r1>
  machine.fall ^bb1
^bb1:
  %b = machine.loop <f32> %a ^bb1, ^bb2 : !machine.reg<r1> -> !machine.reg<r1>
^bb2:
  machine.exit
}
