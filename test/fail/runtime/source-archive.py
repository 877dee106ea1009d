# ERROR: 'library.holo' is an archive of programs, and not one program
# ERROR: hologram.load\("library.holo"\) gives its kernels
import hologram

hologram.compile("library.holo")
