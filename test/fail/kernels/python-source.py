# ERROR: the text of 'kernel' can't be read
import hologram

names = {"hologram": hologram}
exec("@hologram.kernel\ndef kernel():\n    pass\n", names)
names["kernel"].document
