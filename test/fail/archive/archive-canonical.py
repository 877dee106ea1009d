# EXIT: 1
# ERROR: says in another way what it could say in one
from hologram.driver.archives.verify import verify
from hologram.runtime.archive import Archive, open, write
from hologram.runtime.archive.layout import MANIFEST, TENSORS, Piece, pack

manifest = bytes(open(write(Archive(()))).frame.read(MANIFEST))
verify(pack([Piece(MANIFEST, manifest), Piece(TENSORS, (56).to_bytes(8, "little") + b"{}".ljust(56))]))
