"""Devices of the Vulkan API."""
