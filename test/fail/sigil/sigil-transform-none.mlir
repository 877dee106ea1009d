// RUN: hologram-opt %s
// ERROR: names no transform
"sigil.circuit"() <{sym_name = "main"}> ({
  "sigil.transform"() <{moves = []}> ({
    "sigil.mark"() <{target = #sigil.target<"c00">}> : () -> ()
  }) : () -> ()
}) : () -> ()
