"""Records of many arrays for compiled code: handed over as one address, not field by field.

numba passes a named tuple to a function by all its numbers, an array as seven or more: for the
memory of a flight over a thousand, to each of some hundred functions, which takes the compiler
twice as long. Here a record is written to memory once, and its fields are read where they are
used; they never change while compiled code holds the address.

Import this module where there is a compiler alone.
"""

import hashlib
from collections.abc import Callable
from typing import Any

import numpy as np
from llvmlite import ir
from numba import typeof, types
from numba.core.typing.templates import AttributeTemplate
from numba.extending import (
    NativeValue, infer_getattr, intrinsic, lower_getattr_generic, models, register_model,
    typeof_impl, unbox
)

ROOM = 16
"""Numbers of eight bytes that a field takes at most: an array of up to five dimensions."""


class ByAddress(types.Type):
    """The type of a record that is handed over by its address."""

    def __init__(self, record: types.BaseTuple) -> None:
        """Take the type of the record by value."""
        self.record = record
        digest = hashlib.sha256(str(record).encode()).hexdigest()[:12]
        super().__init__(f'{record.instance_class.__name__}At{digest}')


class StoredRecord:
    """A record in memory, whose address compiled code takes.

    Attributes:
        record: The record, whose arrays are kept.
        address: Where it is.
    """

    def __init__(self, record: tuple, write: Callable[[int, tuple], int]) -> None:
        """Write a record by a compiled function; its arrays stay where they are."""
        self.record = record
        self._memory = np.zeros(ROOM * _count(record), dtype=np.int64)
        self.address = self._memory.ctypes.data
        write(self.address, record)


def _count(value: Any) -> int:
    """Return how many fields there are in a record and in those in it."""
    return sum(map(_count, value)) + 1 if isinstance(value, tuple) else 1


@typeof_impl.register(StoredRecord)
def _type_of_stored(stored: StoredRecord, c: Any) -> ByAddress:
    return ByAddress(typeof(stored.record))


@register_model(ByAddress)
class _AddressModel(models.PrimitiveModel):
    """A pointer to what the record would be by value."""

    def __init__(self, dmm: Any, fe_type: ByAddress) -> None:
        by_value = dmm.lookup(fe_type.record).get_value_type()
        super().__init__(dmm, fe_type, by_value.as_pointer())


@unbox(ByAddress)
def _unbox_address(kind: ByAddress, stored: Any, c: Any) -> NativeValue:
    number = c.pyapi.object_getattr_string(stored, 'address')
    address = c.pyapi.long_as_longlong(number)
    c.pyapi.decref(number)
    return NativeValue(c.builder.inttoptr(address, c.context.get_value_type(kind)))


@infer_getattr
class _FieldTypes(AttributeTemplate):
    """The types of the fields of a record."""

    key = ByAddress

    def generic_resolve(self, kind: ByAddress, name: str) -> types.Type | None:
        fields = kind.record.fields
        return kind.record.types[fields.index(name)] if name in fields else None


@lower_getattr_generic(ByAddress)
def _read_field(context: Any, builder: Any, kind: ByAddress, value: Any, name: str) -> Any:
    _tell_what_lies_there(context, builder.function, value.type)
    index, number = kind.record.fields.index(name), ir.IntType(32)
    place = builder.gep(value, [number(0), number(index)], inbounds=True)
    found = builder.load(place)
    found.set_metadata('invariant.load', builder.module.add_metadata([]))
    return found


def _tell_what_lies_there(context: Any, function: Any, pointer: Any) -> None:
    """Let the optimiser know that a whole record lies at an argument, and that nobody writes it.

    So it reads fields once before a loop, also those that not every turn of it needs.
    """
    for argument in function.args:
        if argument.type == pointer:
            argument.attributes.dereferenceable = context.get_abi_sizeof(pointer.pointee)
            argument.add_attribute('noalias')


@intrinsic
def write_at(typingctx: Any, address: Any, record: Any) -> Any:
    """Write a record at an address; for compiled functions."""

    def write(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        place, value = arguments
        builder.store(value, builder.inttoptr(place, value.type.as_pointer()))
        return context.get_dummy_value()

    return types.void(types.intp, record), write


# One function for each type: processes that keep code of one function in several variants at the
# same time would lose one.
def write_rules(address: int, rules: tuple) -> int:
    """Write the constants of a flight, compiled."""
    write_at(address, rules)
    return 0


def write_memory(address: int, flight: tuple) -> int:
    """Write the memory of a flight, compiled."""
    write_at(address, flight)
    return 0
