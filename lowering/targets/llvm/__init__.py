"""Lowers the core dialects to the llvm dialect."""
