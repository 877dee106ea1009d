// RUN: hologram-opt %S/Inputs/document-none.json
// ERROR: document-none\.json: error: \$: there is no kernel in the list
