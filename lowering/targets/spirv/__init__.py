"""Device code for Vulkan: the spirv dialect and its binary form."""
