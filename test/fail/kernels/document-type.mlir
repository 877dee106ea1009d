// RUN: hologram-opt %S/Inputs/document-type.json
// ERROR: document-type\.json: error: \$\.kernel\.doc: expected a text, found 3
