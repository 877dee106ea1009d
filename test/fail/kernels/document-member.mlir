// RUN: hologram-opt %S/Inputs/document-member.json
// ERROR: document-member\.json: error: \$\.kernel\.body\[0\]: there is no member 'nmae'
