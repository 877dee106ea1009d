"""A module that says nothing of what it brings."""
