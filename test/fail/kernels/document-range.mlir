// RUN: hologram-opt %S/Inputs/document-range.json
// ERROR: document-range\.json: error: \$\.kernel\.params\[0\]\.type\.rank: 9 is no rank
