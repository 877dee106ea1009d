// RUN: hologram-opt %S/Inputs/kernel-limit.json
// ERROR: kernel-limit\.json: error: \$\.kernel\.body\[0\]\.value: 'least' is of a type, and there is none
