"""A library of arrays, as the rewritten functions use it.

NumPy and torch call nearly everything by the same names; a ``Namespace`` holds what differs. A
value is a number, a flag, or an array of one per body. Numbers and flags are the same for all
bodies, and with them everything is plain Python.
"""

import functools
import math
from collections.abc import Callable, Iterable
from types import SimpleNamespace
from typing import Any

import numpy as np

from velocity_mobility_ros.core.user_errors import MobilityError

LIBRARIES = ('numpy', 'torch')
DTYPES = ('float64', 'float32')

FUNCTIONS = {
    **{name: name for name in (
        'sqrt', 'exp', 'expm1', 'log', 'log1p', 'sin', 'cos', 'tan', 'sinh', 'cosh', 'tanh',
        'fmod', 'copysign', 'isnan', 'isinf', 'isfinite',
    )},
    'asin': 'arcsin', 'acos': 'arccos', 'atan': 'arctan', 'atan2': 'arctan2', 'fabs': 'abs',
}  # fmt: skip
"""Functions of ``math``, and their names in both libraries."""

ROUNDED = ('sqrt', 'fabs', 'fmod', 'copysign', 'isnan', 'isinf', 'isfinite')
"""Those that have one right value; that of the others may differ in the last bit."""

Array = Any
Value = Any


class BatchError(MobilityError):
    """A function cannot be rewritten over arrays, or a batch is given what does not fit it."""


class Namespace:
    """NumPy, and the type of its floating point numbers.

    Attributes:
        modules: What stands for modules in the functions, by their names.
    """

    def __init__(self, library: Any, dtype: str, exact: bool = False) -> None:
        """Take over a library; ``exact``: sines are those of ``math`` to the bit."""
        self._library, self._exact = library, exact
        self._reals = [library.zeros(0, dtype=getattr(library, name)).dtype for name in DTYPES]
        self._real = self._reals[DTYPES.index(dtype)]
        flag = getattr(library, 'bool_', None) or library.bool
        self._kinds = {bool: flag, int: library.int64, float: library.float64}
        functions = {name: self._function(name) for name in FUNCTIONS}
        functions |= {name: getattr(math, name) for name in ('pi', 'tau', 'inf', 'nan')}
        self.modules = {
            'math': SimpleNamespace(**functions),
            'numpy': SimpleNamespace(uint64=self._unsigned),
        }

    def is_array(self, value: Value) -> bool:
        """Return whether something is an array of this library."""
        return isinstance(value, np.ndarray)

    def array(self, value: Any) -> Array:
        """Return an array of its own memory; floating point numbers have the type of ``self``."""
        array = self._new(value)
        return self._to(array, self._real) if array.dtype in self._reals else array

    def spread(self, value: Any, count: int) -> Any:
        """Return a number or record with an array of one per body in place of every number."""
        if isinstance(value, tuple):
            return like(value, (self.spread(part, count) for part in value))
        array = self._as_array(value)
        array = self._to(array, self._real) if array.dtype in self._reals else array
        return self._library.broadcast_to(array, (count,))

    def stack(self, arrays: tuple[Array, ...]) -> Array:
        """Return arrays (E,) as columns (E, n)."""
        return self._library.stack(arrays, 1)

    def where(self, taken: Array, value: Value, other: Value) -> Array:
        """Return one value where a condition holds, and another elsewhere."""
        return self._library.where(taken, self._as_array(value), self._as_array(other))

    def condition(self, value: Value) -> Value:
        """Return a condition: True or False if it is the same in all elements."""
        if not self.is_array(value):
            return bool(value)
        count = int(self._library.count_nonzero(value))
        return self.converted(bool, value) if 0 < count < len(value) else count > 0

    def converted(self, kind: type, value: Value) -> Value:
        """Return ``kind(value)``; whole numbers stay as they are, or get double precision."""
        if not self.is_array(value):
            return kind(value)
        is_real = value.dtype in self._reals
        is_kind = is_real if kind is float else kind is int and not is_real
        return value if is_kind else self._to(value, self._kinds[kind])

    def _as_array(self, value: Value) -> Array:
        """Return a number as an array without axes; in NumPy 1 its type counts in mixtures."""
        return value if self.is_array(value) else self.array(value)

    def _new(self, value: Any) -> Array:
        return np.array(value)

    def _to(self, value: Array, kind: Any) -> Array:
        return value.astype(kind, copy=False)

    def _unsigned(self, value: Value) -> Value:
        return np.asarray(value, np.uint64)[()]

    def _function(self, name: str) -> Callable[..., Value]:
        """Return a function of ``math`` over arrays; where it would raise, a value as theirs."""
        function, of_arrays = getattr(math, name), getattr(self._library, FUNCTIONS[name])

        def of_numbers(*numbers: float) -> Value:
            try:
                return function(*numbers)
            except (ValueError, OverflowError):
                return float(getattr(np, FUNCTIONS[name])(*numbers))

        if self._exact and name not in ROUNDED:
            of_arrays = np.vectorize(of_numbers, otypes=[float])

        def of_values(*values: Value) -> Value:
            if not any(map(self.is_array, values)):
                return of_numbers(*values)
            return of_arrays(*map(self._as_array, values))

        return of_values


class TorchNamespace(Namespace):
    """Tensors on one device; unsigned integers, which torch has none of, are arrays of NumPy."""

    def __init__(self, dtype: str, device: str) -> None:
        """Import torch, which nothing else does, and check the device."""
        try:
            import torch

            self._device = torch.zeros(1, device=device).device
        except (ImportError, OSError, RuntimeError, AssertionError) as error:
            reason = str(error).splitlines()[0]
            raise BatchError(f'torch cannot be used on device {device!r}: {reason}') from None
        super().__init__(torch, dtype)

    def is_array(self, value: Value) -> bool:
        """Return whether something is a tensor or an array of unsigned integers."""
        return isinstance(value, (self._library.Tensor, np.ndarray))

    def condition(self, value: Value) -> Value:
        """Return a condition; to look whether it is the same everywhere would stop a GPU."""
        is_far = self._device.type != 'cpu' and self.is_array(value)
        return self.converted(bool, value) if is_far else super().condition(value)

    def converted(self, kind: type, value: Value) -> Value:
        """Return ``kind(value)``."""
        if not isinstance(value, np.ndarray):
            return super().converted(kind, value)
        return self._new(value.astype(float)) if kind is float else value

    def _new(self, value: Any) -> Array:
        if isinstance(value, self._library.Tensor):
            return value.to(self._device, copy=True)
        return self._library.tensor(np.asarray(value), device=self._device)

    def _to(self, value: Array, kind: Any) -> Array:
        return value.to(kind)

    def _unsigned(self, value: Value) -> Value:
        return super()._unsigned(value.cpu() if isinstance(value, self._library.Tensor) else value)


def like(record: tuple, parts: Iterable[Any]) -> tuple:
    """Return a record or tuple of the same kind with other parts."""
    return type(record)(*parts) if hasattr(record, '_fields') else tuple(parts)


@functools.cache
def namespace(
    library: str | Namespace, dtype: str = 'float64', device: str = 'cpu', exact: bool = False
) -> Namespace:
    """Return a library of arrays.

    Args:
        library: One of ``LIBRARIES``; a namespace is returned as it is.
        dtype: One of ``DTYPES``.
        device: Where arrays of torch are.
        exact: Whether functions such as the sine are those of ``math``, called for every element:
            then every number is that of plain Python to the bit. For numpy in double precision.

    Raises:
        BatchError: There is no such library, type or device, or it is not installed.
    """
    if isinstance(library, Namespace):
        return library
    for name, value, known in (('library', library, LIBRARIES), ('dtype', dtype, DTYPES)):
        if value not in known:
            raise BatchError(f'{name} = {value!r} is unknown; known: {", ".join(known)}')
    if exact and (library, dtype) != ('numpy', 'float64'):
        raise BatchError(f'exact = True is for numpy in float64, not for {library} in {dtype}')
    if library == 'numpy' and device != 'cpu':
        raise BatchError(f'device = {device!r} is for torch; numpy has the cpu alone')
    return Namespace(np, dtype, exact) if library == 'numpy' else TorchNamespace(dtype, device)
