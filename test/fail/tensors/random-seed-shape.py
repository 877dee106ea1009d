# ERROR: a seed is one integer, and this has 1 axes \[random-seed-shape\]
import hologram

hologram.ops.random.key([1, 2])
