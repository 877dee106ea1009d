# EXIT: 2
# ERROR: error: '.*object-no-record.ll' holds code, in which sums and products can't be checked any more
# ERROR: hint: compile its MLIR with coherence=True
from pathlib import Path

import hologram

hologram.compile(Path(__file__).with_name("object-no-record.ll"), coherence=True)
