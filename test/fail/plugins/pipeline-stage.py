# EXIT: 2
# ERROR: 'hologram-to-cpu' has no stage 'fusd' to put 'mine' before
# ERROR: did you mean 'fused'

from hologram.lowering.pipelines.pipelines import with_stage
from hologram.lowering.pipelines.stage import Stage

with_stage("hologram-to-cpu", Stage("mine", "cse"), before="fusd")
