// RUN: hologram-opt %s
// ERROR: .sigil.copy. does not work on .c00\[c01,c02\].
// ERROR: its targets are of the forms sigil, copy
"sigil.circuit"() <{sym_name = "main"}> ({
  "sigil.copy"() <{target = #sigil.target<"c00[c01,c02]">}> : () -> ()
}) : () -> ()
