// RUN: hologram-opt %S/Inputs/document-toml.toml
// ERROR: document-toml\.toml: error: this is no TOML: Expected '\]' at the end of a table declaration \(at line 2, column 8\)
