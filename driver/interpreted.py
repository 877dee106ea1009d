"""Programs in any form as modules that the reference interpreter runs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from hologram.driver.source import Source

if TYPE_CHECKING:
    from xdsl.dialects.builtin import ModuleOp

    from hologram.runtime.launch.launch import LaunchConfig


def interpreted_module(source: Source) -> ModuleOp:
    """Read a program, with kernels as programs of lanes, and host functions for programs that nothing launches."""
    from hologram.dialects import make_context
    from hologram.lowering.lanes.convert_hologram_kernels_to_atlas import ConvertHologramKernelsToAtlasPass
    from hologram.lowering.machine.lift_machine import LiftMachinePass
    from hologram.transforms.lanes.add_launch_functions import AddLaunchFunctionsPass

    context = make_context()
    module = source.read(context)
    for pass_ in (LiftMachinePass(), ConvertHologramKernelsToAtlasPass(), AddLaunchFunctionsPass()):
        pass_.apply(context, module)
    return module


def interpret_kernel(source: Source, name: str, args: Sequence[Any], config: LaunchConfig | None) -> None:
    """Run a kernel by the interpreter on arrays, which it changes in place, and numbers."""
    from hologram.interpreter import interpret
    from hologram.interpreter.entry import find_entry
    from hologram.lowering.rewriting import entry_record
    from hologram.runtime.entry import parse_entries
    from hologram.runtime.launch.launch import with_sizes

    module = interpreted_module(source)
    if config is not None:
        function = find_entry(module, name)
        (entry,) = parse_entries(f"[{entry_record.record(function, entry_record.arguments_of(function))}]")
        args = with_sizes(entry, range(len(entry.arguments)), args, config)
    interpret(module, name, args)
