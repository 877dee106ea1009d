// RUN: hologram-opt %S/Inputs/document-json.json
// ERROR: document-json\.json:2:13: error: this is no JSON: Expecting property name enclosed in double quotes
