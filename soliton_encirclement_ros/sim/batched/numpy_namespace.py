"""NumPy as the library of arrays."""

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from soliton_encirclement_ros.sim.batched.namespaces import Array, Namespace, Value

UFUNCS = {
    'sqrt': np.sqrt, 'exp': np.exp, 'expm1': np.expm1, 'log': np.log, 'log1p': np.log1p,
    'sin': np.sin, 'cos': np.cos, 'tan': np.tan, 'asin': np.arcsin, 'acos': np.arccos,
    'atan': np.arctan, 'atan2': np.arctan2, 'sinh': np.sinh, 'cosh': np.cosh, 'tanh': np.tanh,
    'fabs': np.fabs, 'fmod': np.fmod, 'copysign': np.copysign,
    'isnan': np.isnan, 'isinf': np.isinf, 'isfinite': np.isfinite,
}  # fmt: skip
"""Functions of ``math``."""

ROUNDED = ('sqrt', 'fabs', 'fmod', 'copysign', 'isnan', 'isinf', 'isfinite')
"""Those that have one right value; that of NumPy's others may differ in the last bit."""


def of_numbers(name: str) -> Callable[..., Value]:
    """Return a function of ``math`` that returns what machine code does where it would raise."""
    function, ufunc = getattr(math, name), UFUNCS[name]

    def of_number(*numbers: float) -> Value:
        """Return the value."""
        try:
            return function(*numbers)
        except (ValueError, OverflowError):
            with np.errstate(all='ignore'):
                return float(ufunc(*numbers))

    return of_number


def element_wise(function: Callable[..., float]) -> Callable[..., np.ndarray]:
    """Return a function of arrays that calls one of numbers for every element."""

    def of_elements(*values: Value) -> np.ndarray:
        """Return the values."""
        columns = [one.tolist() for one in np.broadcast_arrays(*values)]
        return np.array(list(map(function, *columns)))

    return of_elements


class NumpyNamespace(Namespace):
    """Arrays of NumPy."""

    name = 'numpy'

    def __init__(self, dtype: str, exact: bool) -> None:
        """Store the type of the numbers, and whether sines are those of ``math`` to the bit."""
        self._type = np.dtype(dtype)
        self._exact = exact
        super().__init__(dtype)

    def is_array(self, value: Value) -> bool:
        """Return whether something is an array."""
        return isinstance(value, np.ndarray)

    def array(self, value: Any) -> Array:
        """Return an array of its own memory."""
        found = np.array(value)
        return found.astype(self._type, copy=False) if found.dtype.kind == 'f' else found

    def to_numpy(self, value: Array) -> np.ndarray:
        """Return the array."""
        return value

    def where(self, taken: Array, one: Value, other: Value) -> Array:
        """Return one value or the other, by element."""
        return np.where(taken, self._lifted(one), self._lifted(other))

    def _lifted(self, value: Value) -> Array:
        """Return a number as an array of ``dtype``; NumPy 1 would take double precision."""
        return np.asarray(value, self._type) if type(value) is float else value

    def condition(self, value: Value) -> Value:
        """Return a condition, plain if it is the same everywhere."""
        if not isinstance(value, np.ndarray):
            return bool(value)
        count = np.count_nonzero(value)
        if count in (0, value.size):
            return count > 0
        return self.truth(value)

    def truth(self, value: Value) -> Value:
        """Return ``bool(value)``."""
        return value.astype(bool, copy=False) if isinstance(value, np.ndarray) else bool(value)

    def integer(self, value: Value) -> Value:
        """Return ``int(value)``."""
        if not isinstance(value, np.ndarray):
            return int(value)
        return value if value.dtype.kind in 'iu' else value.astype(np.int64)

    def real(self, value: Value) -> Value:
        """Return ``float(value)``."""
        if not isinstance(value, np.ndarray):
            return float(value)
        return value if value.dtype.kind == 'f' else value.astype(np.float64)

    def unsigned(self, value: Value) -> Value:
        """Return ``np.uint64(value)``."""
        return value.astype(np.uint64) if isinstance(value, np.ndarray) else np.uint64(value)

    def narrow(self, value: Value) -> Value:
        """Return an array of ``dtype`` instead of one of double precision."""
        if isinstance(value, np.ndarray) and value.dtype == np.float64:
            return value.astype(self._type, copy=False)
        return tuple(map(self.narrow, value)) if type(value) is tuple else value

    def spread(self, value: Value, count: int) -> Array:
        """Return one number per body."""
        found = np.asarray(value)
        if found.dtype.kind == 'f':
            found = found.astype(self._type, copy=False)
        return found if found.shape == (count,) else np.broadcast_to(found, (count,)).copy()

    def stack(self, arrays: tuple[Array, ...]) -> Array:
        """Return arrays as columns."""
        return np.stack(arrays, axis=1)

    def errors_as_values(self) -> Any:
        """Return the context without warnings."""
        return np.errstate(all='ignore')

    def _math(self) -> dict[str, Callable[..., Value]]:
        return {name: self._of_values(name) for name in UFUNCS}

    def _of_values(self, name: str) -> Callable[..., Value]:
        ufunc, of_number = UFUNCS[name], of_numbers(name)
        if self._exact and name not in ROUNDED:
            ufunc = element_wise(of_number)

        def of_values(*values: Value) -> Value:
            """Return the function's value, by element if there are some."""
            for one in values:
                if isinstance(one, np.ndarray):
                    return ufunc(*values)
            return of_number(*values)

        return of_values
