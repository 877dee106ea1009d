// RUN: hologram-opt %S/Inputs/kernel-outside-loop.json
// ERROR: kernel-outside-loop\.json:4:9: error: 'break' stands in a loop, and there is none around it
