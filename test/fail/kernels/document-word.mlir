// RUN: hologram-opt %S/Inputs/document-word.json
// ERROR: document-word\.json: error: \$\.kernel\.body\[0\]\.value\.op: "!" is not known here
