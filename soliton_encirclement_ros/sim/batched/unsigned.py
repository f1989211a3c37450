"""Unsigned 64-bit integers in torch, which computes with signed ones only.

Two's complement: sum, product and bits of both are the same; a shift to the right and the
conversion to a floating point number differ.
"""

from typing import Any

SIZE = 1 << 64
HALF = 1 << 63


def signed(number: int) -> int:
    """Return the signed integer with the bits of an unsigned one; higher bits are left out."""
    number %= SIZE
    return number - SIZE if number >= HALF else number


class Unsigned:
    """An array of unsigned integers, modulo 2^64."""

    def __init__(self, bits: Any) -> None:
        """Take over the bits, as a tensor of signed integers."""
        self.bits = bits

    def __add__(self, other: 'Unsigned | int') -> 'Unsigned':
        """Return the sum."""
        return Unsigned(self.bits + bits_of(other))

    def __mul__(self, other: 'Unsigned | int') -> 'Unsigned':
        """Return the product."""
        return Unsigned(self.bits * bits_of(other))

    def __xor__(self, other: 'Unsigned | int') -> 'Unsigned':
        """Return the bits that differ."""
        return Unsigned(self.bits ^ bits_of(other))

    def __and__(self, other: 'Unsigned | int') -> 'Unsigned':
        """Return the common bits."""
        return Unsigned(self.bits & bits_of(other))

    def __rshift__(self, count: int) -> 'Unsigned':
        """Return the bits shifted to the right, with zeros from the left."""
        return Unsigned((self.bits >> count) & ((1 << (64 - count)) - 1)) if count else self

    __radd__, __rmul__, __rxor__, __rand__ = __add__, __mul__, __xor__, __and__


def bits_of(value: 'Unsigned | int') -> Any:
    """Return the bits of an operand as signed integers."""
    return value.bits if isinstance(value, Unsigned) else signed(value)
