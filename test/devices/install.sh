#!/usr/bin/env bash
# Installs the drivers that make this machine's processor an OpenCL and a Vulkan device: on Debian and Ubuntu, as root.
# Elsewhere it says what is missing; the tests name the devices that they could not run on.
set -u
PACKAGES=(pocl-opencl-icd mesa-vulkan-drivers libvulkan1)

if ! command -v apt-get >/dev/null 2>&1; then
    echo "not installed: ${PACKAGES[*]}: there is no apt-get; install PoCL and a Vulkan driver yourself"
    exit 0
fi
missing=()
for package in "${PACKAGES[@]}"; do
    dpkg-query -W -f '${Status}' "$package" 2>/dev/null | grep -q 'install ok installed' || missing+=("$package")
done
[ ${#missing[@]} -eq 0 ] && exit 0
if [ "$(id -u)" -ne 0 ]; then
    echo "not installed: ${missing[*]}: only root may; run: sudo apt-get install ${missing[*]}"
    exit 0
fi
echo "installing ${missing[*]}"
export DEBIAN_FRONTEND=noninteractive
install() { apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null; }
install || { apt-get update -qq && install; } || echo "not installed: ${missing[*]}: apt-get failed"
