"""Activation functions of networks."""
