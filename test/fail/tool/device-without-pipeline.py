# EXIT: 2
# ERROR: there is no pipeline to device 'cpuu'
# ERROR: did you mean 'cpu'

from hologram.lowering.pipelines.pipelines import stages_for

stages_for("cpuu")
