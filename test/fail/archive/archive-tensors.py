# EXIT: 1
# ERROR: their header has no length that can be
from hologram.runtime.archive import open
from hologram.runtime.archive.documents import manifest_bytes
from hologram.runtime.archive.layout import MANIFEST, TENSORS, Piece, pack
from hologram.runtime.archive.records import Manifest

manifest = manifest_bytes(Manifest("someone", {}, (), (), ()))
print(open(pack([Piece(MANIFEST, manifest), Piece(TENSORS, b"{}")])).constants)
