// RUN: hologram-opt %S/Inputs/document-object.json
// ERROR: document-object\.json: error: \$\.kernel\.body\[0\]: expected an object with a kind, found 7
