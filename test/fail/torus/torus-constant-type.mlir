// RUN: hologram-opt %s
// EXIT: 1
// ERROR: :5:1: error: the value has type !torus\.coord, the result !torus\.coord<96, 192> \[torus-constant-type\]

%c = "torus.constant"() <{value = #torus.elements<!torus.coord, [(1, 2)]>}> : () -> !torus.coord<w32>
