"""`hologram-doctor`: what this machine has, what it lacks, and how to mend that."""

from __future__ import annotations

import json
import platform
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NoReturn

import click

from hologram import plugins
from hologram.errors import DeviceError
from hologram.runtime.fingerprint import installed_version
from hologram.tools.cli import plugin_option, run_tool

if TYPE_CHECKING:
    from hologram.runtime.devices import Status

PACKAGES = ("xdsl", "llvmlite", "numpy", "ml_dtypes", "click", "rich", "blake3", "platformdirs")
DEVICE_PACKAGES = ("vulkan", "wgpu", "pyopencl", "wasmtime")


@click.command("hologram-doctor")
@click.option("--json", "as_json", is_flag=True, help="Write JSON.")
@plugin_option
def command(as_json: bool) -> int:
    """Say which devices are ready, which are not and what would help; versions; the cache's place."""
    report = examine()
    sys.stdout.write(json.dumps(report, indent=2) + "\n" if as_json else render(report))
    return 0


def examine() -> dict[str, Any]:
    """Everything that the tool tells, as JSON data."""
    from hologram.runtime.devices import devices

    return {
        "hologram": installed_version("hologram-mlir"),
        "python": f"{platform.python_version()} ({platform.python_implementation()})",
        "platform": platform.platform(),
        "packages": {name: installed_version(name) for name in (*PACKAGES, *DEVICE_PACKAGES)},
        "host": _host(),
        "devices": [{**status.as_dict(), "found": _found(status)} for status in devices().values()],
        "plugins": _plugins(),
        "threads": _threads(),
        "cache": _cache(),
    }


def _found(status: Status) -> list[dict[str, Any]]:
    """Each device of a kind: what it is, the version of its driver, and its limits."""
    from hologram.runtime.devices import open_device

    entries: list[dict[str, Any]] = []
    for number in range(status.count if status.name != "cpu" else 0):
        name = f"{status.name}:{number}"
        try:
            device = open_device(name)
        except DeviceError as error:
            entries.append({"name": name, "error": error.message})
            continue
        limits = {**vars(device.limits), "features": sorted(device.limits.features)}
        about = {"name": name, "title": device.title, "version": device.version, "gpu": device.is_gpu}
        entries.append({**about, "limits": limits})
    return entries


def _host() -> dict[str, Any]:
    from hologram.support.host_target import host_target, llvm_binding

    host = host_target()
    version = ".".join(str(n) for n in llvm_binding().llvm_version_info)
    features = [f[1:] for f in host.features.split(",") if f.startswith("+")]
    return {"llvm": version, "triple": host.triple, "cpu": host.cpu, "features": features}


def _plugins() -> list[dict[str, Any]]:
    """The plug-ins: what each brings, by kind; of one that can't be used, why."""
    plugins.discover()
    entries: list[dict[str, Any]] = []
    for name, plugin in plugins.LOADED.items():
        kinds: dict[str, list[str]] = {}
        for row in plugin.rows:
            kinds.setdefault(row.kind, []).append(row.name)
        entries.append({"name": name, "place": plugin.place, "package": plugin.package, "brings": kinds})
    return entries + [{"name": name, "error": str(error)} for name, error in plugins.FAULTS.items()]


def _threads() -> dict[str, Any]:
    from hologram.runtime.devices.cpu.pool import why_not
    from hologram.runtime.threads import get_num_threads, usable_processors

    return {"number": get_num_threads(), "processors": usable_processors(), "pool": not why_not(), "why": why_not()}


def _cache() -> dict[str, Any]:
    from hologram.runtime.cache import disk_cache

    cache = disk_cache()
    files, size = cache.usage()
    return {
        "folder": str(cache.root),
        "files": files,
        "bytes": size,
        "limit_bytes": cache.limit,
        "writable": cache.writable(),
        "why": cache.why_unused(),
    }


def render(report: dict[str, Any]) -> str:
    """The report for people."""
    lines = [f"hologram {report['hologram']} on Python {report['python']}, {report['platform']}", "", "devices"]
    for device in report["devices"]:
        lines.append(f"  {device['name']:8} {'ready' if device['ready'] else 'not ready':10} {device['title']}")
        lines += [f"           {device[key]}" for key in ("why", "fix") if device[key]]
        lines += [f"           {line}" for one in device["found"] for line in _lines(one)]
    lines += ["", "packages"]
    lines += [f"  {name:14}{version or 'not installed'}" for name, version in report["packages"].items()]
    lines += ["", "plug-ins"]
    for plugin in report["plugins"]:
        if "error" in plugin:
            lines += [f"  {plugin['name']:14}can't be used", *(f"    {line}" for line in plugin["error"].splitlines())]
            continue
        brings = "; ".join(f"{kind} {', '.join(names)}" for kind, names in plugin["brings"].items())
        lines.append(f"  {plugin['name']:14}{plugin['package'] or plugin['place']}: {brings or 'nothing'}")
    lines += [] if report["plugins"] else ["  none"]
    host, cache, threads = report["host"], report["cache"], report["threads"]
    lines += ["", "processor", f"  {host['cpu']} ({host['triple']}), LLVM {host['llvm']}"]
    lines += [f"  {' '.join(host['features'])}", "", "threads"]
    lines.append(f"  {threads['number']} for one call; this process may use {threads['processors']} processors")
    if not threads["pool"]:
        lines.append(f"  every call runs on its own thread alone: {threads['why']}")
    lines += ["", "cache"]
    limit = f"of at most {cache['limit_bytes'] / 1e6:.0f} MB" if cache["limit_bytes"] else "turned off"
    lines.append(f"  {cache['folder']}: {cache['files']} files, {cache['bytes'] / 1e6:.1f} MB, {limit}")
    if cache["why"]:
        lines.append(f"  it is not used, for it holds code that is run: {cache['why']}; set HOLOGRAM_CACHE_DIR to a")
        lines.append("  folder of yours, or take the right to write from others with chmod go-w")
    elif not cache["writable"]:
        lines.append(
            "  it can't be written: compiled programs are not kept; set HOLOGRAM_CACHE_DIR to a folder of yours"
        )
    return "\n".join(lines) + "\n"


def _lines(device: dict[str, Any]) -> list[str]:
    """One device for people."""
    if "error" in device:
        return [f"{device['name']}  can't be opened: {device['error']}"]
    limits = device["limits"]
    block, grid = ("x".join(map(str, limits[name])) for name in ("block", "grid"))
    first = f"{device['name']}  {device['title']}, {device['version']}{'' if device['gpu'] else ' (no GPU)'}"
    memory = _size(limits["memory"]) if limits["memory"] else "unknown"
    sizes = f"memory {memory}, allocations {_size(limits['allocation'])}, arguments {_size(limits['binding'])}"
    sizes += f", shared {_size(limits['shared'])}"
    lanes = f"{limits['threads']} lanes a block, {block} at most; grid {grid}; index {limits['index_bits']} bits"
    if limits["subgroup"]:
        lanes += f"; subgroups of {limits['subgroup']}"
    return [first, f"  {sizes}", f"  {lanes}", f"  {' '.join(limits['features'])}"]


def _size(count: int) -> str:
    if count >= 2**20:
        return f"{count / 2**30:.1f} GiB" if count >= 2**30 else f"{count / 2**20:.1f} MiB"
    return f"{count / 1024:.0f} KiB"


def run(args: Sequence[str] | None = None) -> int:
    """Runs the tool and gives its exit code."""
    return run_tool(command, args)


def main(args: Sequence[str] | None = None) -> NoReturn:
    """The console command."""
    raise SystemExit(run(args))


if __name__ == "__main__":
    main()
