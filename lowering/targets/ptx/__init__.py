"""Device code of NVIDIA and AMD GPUs, through the nvvm and rocdl dialects."""
