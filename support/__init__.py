"""Small modules that every layer may import; they import nothing of the package."""
