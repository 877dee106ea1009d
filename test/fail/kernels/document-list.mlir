// RUN: hologram-opt %S/Inputs/document-list.json
// ERROR: document-list\.json: error: \$\.kernel\.block: expected a list, found "64"
