// RUN: hologram-opt %S/Inputs/document-version.json
// ERROR: document-version\.json: error: \$\.version: this reads version 1, not 7
