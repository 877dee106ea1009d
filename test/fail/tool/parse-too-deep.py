# EXIT: 1
# ERROR: deep.mlir:1:.*nested too deeply to be read

import sys

from hologram.dialects import make_context
from hologram.frontend.mlir import parse_module
from hologram.support import recursion

limit, ours = sys.getrecursionlimit(), recursion.RECURSION_LIMIT
recursion.RECURSION_LIMIT = 0
sys.setrecursionlimit(400)
try:
    parse_module("module {" * 100 + "}" * 100, "deep.mlir", make_context())
finally:
    sys.setrecursionlimit(limit)
    recursion.RECURSION_LIMIT = ours
