# EXIT: 2
# ERROR: 'exp' means something in kernels alone
from hologram import language

language.exp(1.0)
