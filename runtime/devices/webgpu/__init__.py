"""Devices of WebGPU."""
