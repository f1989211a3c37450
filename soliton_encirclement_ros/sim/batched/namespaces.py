"""A library of arrays, as the rewritten functions use it."""

import functools
import importlib
import math
from abc import ABC, abstractmethod
from collections.abc import Callable
from types import ModuleType, SimpleNamespace
from typing import Any

from soliton_encirclement_ros.sim.batched.errors import BatchError

LIBRARIES = ('numpy', 'torch')
DTYPES = ('float64', 'float32')

Array = Any
Value = Any
"""A number, a flag or an array."""


class Namespace(ABC):
    """A library, the type of its floating point numbers, and where its arrays are.

    Attributes:
        name: Name of the library.
        dtype: Type of the numbers, one of ``DTYPES``.
        functions: What stands for modules in the functions, by their names.
        rewritten: Functions over arrays of this library, by those of numbers; None for one that is
            being rewritten.
    """

    name: str

    def __init__(self, dtype: str) -> None:
        """Offer ``math`` and ``np`` as the functions know them."""
        self.dtype = dtype
        self.rewritten: dict[Callable, Callable | None] = {}
        self.functions = {
            'math': SimpleNamespace(**self._constants(), **self._math()),
            'np': SimpleNamespace(uint64=self.unsigned),
        }

    @abstractmethod
    def is_array(self, value: Value) -> bool:
        """Return whether something is an array of this library."""

    @abstractmethod
    def array(self, value: Any) -> Array:
        """Return an array of numbers (floating point by ``dtype``), flags or whole numbers."""

    @abstractmethod
    def to_numpy(self, value: Array) -> Any:
        """Return an array as one of NumPy."""

    @abstractmethod
    def where(self, taken: Array, one: Value, other: Value) -> Array:
        """Return one value where a condition holds, and another elsewhere."""

    @abstractmethod
    def condition(self, value: Value) -> Value:
        """Return a condition: True or False if it is the same in all elements."""

    @abstractmethod
    def truth(self, value: Value) -> Value:
        """Return ``bool(value)``."""

    @abstractmethod
    def integer(self, value: Value) -> Value:
        """Return ``int(value)``; what is a whole number already is not changed."""

    @abstractmethod
    def real(self, value: Value) -> Value:
        """Return ``float(value)``, in double precision for whole numbers."""

    @abstractmethod
    def unsigned(self, value: Value) -> Value:
        """Return ``np.uint64(value)``."""

    @abstractmethod
    def spread(self, value: Value, count: int) -> Array:
        """Return an array of one number per body, floating point numbers by ``dtype``."""

    @abstractmethod
    def stack(self, arrays: tuple[Array, ...]) -> Array:
        """Return arrays (E,) as columns (E, n)."""

    @abstractmethod
    def errors_as_values(self) -> Any:
        """Return a context in which a division by zero warns of nothing."""

    @abstractmethod
    def _math(self) -> dict[str, Callable[..., Value]]:
        """Return the functions of ``math`` that there are, by name."""

    def _constants(self) -> dict[str, float]:
        return {name: getattr(math, name) for name in ('pi', 'tau', 'inf', 'nan')}

    def record(self, kind: type) -> Callable[..., tuple]:
        """Return what makes a record; in single precision it rounds double precision."""
        if self.dtype == 'float64':
            return kind
        return lambda *parts, **named: kind(
            *map(self.narrow, parts), **{name: self.narrow(one) for name, one in named.items()}
        )

    @abstractmethod
    def narrow(self, value: Value) -> Value:
        """Return an array of double precision as one of ``dtype``, any other value unchanged."""

    def common_integer(self, value: Value) -> int:
        """Return a bound of a loop.

        Raises:
            BatchError: It is not the same for all bodies.
        """
        if not self.is_array(value):
            return value
        numbers = set(self.to_numpy(value).tolist())
        if len(numbers) > 1:
            raise BatchError(
                f'a loop of {min(numbers)} to {max(numbers)} rounds cannot be done over arrays; '
                f'the steps of the integration must be equal for all bodies'
            )
        return numbers.pop()


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
    _check('library', library, LIBRARIES)
    _check('dtype', dtype, DTYPES)
    if exact and (library, dtype) != ('numpy', 'float64'):
        raise BatchError(f'exact = True is for numpy in float64, not for {library} in {dtype}')
    if library == 'numpy' and device != 'cpu':
        raise BatchError(f'device = {device!r} is for torch; numpy has the cpu alone')
    return _made(library, dtype, device, exact)


@functools.cache
def _made(library: str, dtype: str, device: str, exact: bool) -> Namespace:
    if library == 'numpy':
        return _module('numpy_namespace').NumpyNamespace(dtype, exact)
    try:
        return _module('torch_namespace').TorchNamespace(dtype, device)
    except (ImportError, OSError) as error:  # a library of CUDA may be missing
        reason = str(error).splitlines()[0]
        raise BatchError(f'torch cannot be imported ({reason}); pip install torch') from None


def _check(name: str, value: str, known: tuple[str, ...]) -> None:
    if value not in known:
        raise BatchError(f'{name} = {value!r} is unknown; known: {", ".join(known)}')


def _module(name: str) -> ModuleType:
    return importlib.import_module(f'{__package__}.{name}')
