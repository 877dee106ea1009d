"""Launches: from the arguments of a call to a running kernel, and back."""
