# EXIT: 1
# ERROR: it has 0 manifests
from hologram.runtime.archive import open
from hologram.runtime.archive.layout import PROGRAM, Piece, pack

open(pack([Piece(PROGRAM, b"{}")]))
