// RUN: hologram-opt %S/Inputs/document-element.json
// ERROR: document-element\.json: error: \$\.types\.T: nothing says which types 'T' may be
