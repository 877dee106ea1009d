"""Vectors: the tables of the rules, which stand in the modules beside this one."""

from __future__ import annotations

from hologram.support.registry import Registry
from hologram.transforms.canonical.rules import Folds, Patterns
from hologram.transforms.canonical.rules import vector_extract as extract
from hologram.transforms.canonical.rules import vector_memory as memory
from hologram.transforms.canonical.rules import vector_reductions as reductions
from hologram.transforms.canonical.rules import vector_shapes as shapes

FOLDS: Folds = Registry(
    {
        "vector.extract": extract.fold_extract,
        "vector.insert": extract.fold_insert,
        "vector.from_elements": extract.fold_from_elements,
        "vector.broadcast": shapes.fold_broadcast,
        "vector.shape_cast": shapes.fold_shape_cast,
        "vector.bitcast": shapes.fold_bitcast,
        "vector.transpose": shapes.fold_transpose,
        "vector.shuffle": shapes.fold_shuffle,
        "vector.extract_strided_slice": shapes.fold_extract_slice,
        "vector.insert_strided_slice": shapes.fold_insert_slice,
        "vector.constant_mask": memory.fold_constant_mask,
        "vector.transfer_read": memory.fold_read,
        "vector.transfer_write": memory.fold_write,
    }
)
_MASKED_LOAD = (memory.load_under_mask, memory.drop_memref_cast)
_MASKED_STORE = (memory.store_under_mask, memory.drop_memref_cast)
_TRANSFER = (memory.mark_in_bounds, memory.drop_full_mask, memory.drop_memref_cast)
PATTERNS: Patterns = Registry(
    {
        "vector.extract": extract.EXTRACTS,
        "vector.insert": extract.INSERTS,
        "vector.from_elements": (extract.elements_alike, extract.elements_of_one),
        "vector.to_elements": (extract.elements_of_elements, extract.elements_of_broadcast),
        "vector.broadcast": (shapes.broadcast_of_broadcast,),
        "vector.shape_cast": (
            shapes.cast_of_cast,
            shapes.cast_of_broadcast,
            shapes.cast_of_elements,
            shapes.cast_of_mask,
        ),
        "vector.bitcast": (shapes.bitcast_of_bitcast,),
        "vector.transpose": (
            shapes.transpose_of_mask,
            shapes.transpose_of_cast,
            shapes.transpose_of_transpose,
            shapes.transpose_of_elements,
            shapes.transpose_of_broadcast,
        ),
        "vector.shuffle": (shapes.shuffle_alike, shapes.shuffle_in_turns, shapes.shuffle_of_points),
        "vector.extract_strided_slice": (
            shapes.slice_of_inserts,
            shapes.slice_of_mask,
            shapes.slice_of_broadcast,
            shapes.slice_that_is_a_part,
        ),
        "vector.create_mask": (memory.mask_of_constants,),
        "vector.mask": (memory.mask_that_holds_nothing, memory.mask_that_is_full),
        "vector.load": (memory.drop_memref_cast,),
        "vector.store": (memory.drop_memref_cast,),
        "vector.maskedload": _MASKED_LOAD,
        "vector.expandload": _MASKED_LOAD,
        "vector.gather": (*_MASKED_LOAD, memory.gather_in_order),
        "vector.maskedstore": _MASKED_STORE,
        "vector.compressstore": _MASKED_STORE,
        "vector.scatter": (*_MASKED_STORE, memory.scatter_in_order),
        "vector.transfer_read": (*_TRANSFER, memory.drop_tensor_cast, memory.read_after_write),
        "vector.transfer_write": (*_TRANSFER, memory.write_over_write),
        "vector.multi_reduction": (reductions.reduce_axes_of_one,),
        "vector.reduction": (reductions.reduce_one,),
    }
)
