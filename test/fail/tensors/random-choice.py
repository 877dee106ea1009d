# ERROR: 5 of 3 can't be taken \[random-choice\]
import hologram

hologram.ops.random.choice(hologram.ops.random.key(1), 3, (5,), replace=False)
