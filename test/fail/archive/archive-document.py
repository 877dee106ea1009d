# EXIT: 1
# ERROR: the field .compiler. is missing
from hologram.runtime.archive import open
from hologram.runtime.archive.layout import MANIFEST, Piece, pack

open(pack([Piece(MANIFEST, b"{}")]))
