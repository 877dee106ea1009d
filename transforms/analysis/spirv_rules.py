"""What functions may say of themselves and their arguments for SPIR-V."""

from __future__ import annotations

from typing import Any

from xdsl.dialects.builtin import FunctionType, StringAttr
from xdsl.ir import Attribute, Operation

from hologram.dialects.custom.rows import need


def check_spirv_attributes(op: Operation) -> None:
    """The attributes of SPIR-V on a function, its arguments and its results are those that there are."""
    for name, value in op.attributes.items():
        if name.startswith("spirv."):
            _check_of_function(name, value)
    inputs: Any = op.properties.get("function_type")
    if not isinstance(inputs, FunctionType):
        return
    arguments: Any = op.properties.get("arg_attrs") or ()
    for type, given in zip(inputs.inputs, arguments, strict=False):
        for name, value in given.data.items():
            if name.startswith("spirv."):
                _check_of_argument(name, value, type)
    results: Any = op.properties.get("res_attrs") or ()
    wrong = [name for given in results for name in given.data if name.startswith("spirv.")]
    need(not wrong, f"a result has no attribute '{wrong and wrong[0]}'")


def _check_of_function(name: str, value: Attribute) -> None:
    kinds = {"spirv.entry_point_abi", "spirv.target_env"}
    need(name in kinds, f"a function has no attribute '{name}'")
    need(value.name == name, f"'{name}' is a #{name}, not {value}")


def _check_of_argument(name: str, value: Any, type: Attribute) -> None:
    from hologram.dialects.spirv.types import is_scalar

    kinds = {"spirv.interface_var_abi", "spirv.decoration"}
    need(name in kinds, f"an argument has no attribute '{name}'")
    need(value.name == name, f"'{name}' is a #{name}, not {value}")
    if name == "spirv.interface_var_abi" and isinstance(value.storage_class, StringAttr):
        need(is_scalar(type), f"'{name}' says a storage class for scalars alone, not for {type}")
