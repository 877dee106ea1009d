// RUN: hologram-opt %S/Inputs/document-kernels-member.json
// ERROR: document-kernels-member\.json: error: \$: there is no member 'version' beside 'kernels'
