"""torch as the library of arrays; the only file that imports it, and only when it is asked for."""

import contextlib
from collections.abc import Callable
from typing import Any

import numpy as np

from soliton_encirclement_ros.sim.batched.errors import BatchError
from soliton_encirclement_ros.sim.batched.namespaces import Array, Namespace, Value
from soliton_encirclement_ros.sim.batched.numpy_namespace import UFUNCS, of_numbers
from soliton_encirclement_ros.sim.batched.unsigned import Unsigned

OTHER_NAMES = {'fabs': 'abs'}


class TorchNamespace(Namespace):
    """Tensors on one device."""

    name = 'torch'

    def __init__(self, dtype: str, device: str) -> None:
        """Import torch, and check the device.

        Raises:
            ImportError: There is no torch, or it lacks a library.
            BatchError: There is no such device.
        """
        import torch

        self._torch = torch
        try:
            self.device = self._torch.device(device)
            self._torch.zeros(1, device=self.device)
        except (RuntimeError, AssertionError) as error:
            raise BatchError(f'device {device!r}: {str(error).splitlines()[0]}') from None
        self._type = getattr(self._torch, dtype)
        super().__init__(dtype)

    def is_array(self, value: Value) -> bool:
        """Return whether something is a tensor, or one of unsigned integers."""
        return isinstance(value, (self._torch.Tensor, Unsigned))

    def array(self, value: Any) -> Array:
        """Return a tensor of its own memory."""
        if isinstance(value, self._torch.Tensor):
            found = value.to(self.device, copy=True)
        else:
            found = self._torch.tensor(np.asarray(value), device=self.device)
        return found.to(self._type) if found.is_floating_point() else found

    def to_numpy(self, value: Array) -> np.ndarray:
        """Return a tensor as an array of NumPy."""
        return value.detach().cpu().numpy()

    def where(self, taken: Array, one: Value, other: Value) -> Array:
        """Return one value or the other, by element."""
        if isinstance(one, Unsigned) and isinstance(other, Unsigned):
            return Unsigned(self._torch.where(taken, one.bits, other.bits))
        if not isinstance(one, self._torch.Tensor) and not isinstance(other, self._torch.Tensor):
            one = self._lifted(one)
        return self._torch.where(taken, one, other)

    def _lifted(self, value: Value) -> Array:
        if isinstance(value, self._torch.Tensor):
            return value
        kind = self._type if isinstance(value, float) else None
        return self._torch.as_tensor(value, dtype=kind, device=self.device)

    def condition(self, value: Value) -> Value:
        """Return a condition; on a CPU, where it is no detour, plain if the same everywhere."""
        if not isinstance(value, self._torch.Tensor):
            return bool(value)
        if self.device.type != 'cpu':
            return self.truth(value)
        count = int(self._torch.count_nonzero(value))
        if count in (0, value.numel()):
            return count > 0
        return self.truth(value)

    def truth(self, value: Value) -> Value:
        """Return ``bool(value)``."""
        return value.to(self._torch.bool) if isinstance(value, self._torch.Tensor) else bool(value)

    def integer(self, value: Value) -> Value:
        """Return ``int(value)``."""
        if isinstance(value, self._torch.Tensor):
            return value.to(self._torch.int64) if value.is_floating_point() else value
        return value if isinstance(value, Unsigned) else int(value)

    def real(self, value: Value) -> Value:
        """Return ``float(value)``; unsigned integers are below 2^63 here."""
        if isinstance(value, Unsigned):
            return value.bits.to(self._torch.float64)
        if isinstance(value, self._torch.Tensor):
            return value if value.is_floating_point() else value.to(self._torch.float64)
        return float(value)

    def unsigned(self, value: Value) -> Value:
        """Return ``np.uint64(value)``."""
        if isinstance(value, self._torch.Tensor):
            return Unsigned(value.to(self._torch.int64))
        return value if isinstance(value, Unsigned) else np.uint64(value)

    def narrow(self, value: Value) -> Value:
        """Return a tensor of ``dtype`` instead of one of double precision."""
        if isinstance(value, self._torch.Tensor) and value.dtype == self._torch.float64:
            return value.to(self._type)
        return tuple(map(self.narrow, value)) if type(value) is tuple else value

    def spread(self, value: Value, count: int) -> Array:
        """Return one number per body."""
        found = self._lifted(value)
        if found.is_floating_point():
            found = found.to(self._type)
        return found if found.shape == (count,) else found.expand(count).clone()

    def stack(self, arrays: tuple[Array, ...]) -> Array:
        """Return tensors as columns."""
        return self._torch.stack(arrays, dim=1)

    def errors_as_values(self) -> Any:
        """Return a context that does nothing: torch does not warn."""
        return contextlib.nullcontext()

    def _math(self) -> dict[str, Callable[..., Value]]:
        return {name: self._of_values(name) for name in UFUNCS}

    def _of_values(self, name: str) -> Callable[..., Value]:
        function, of_number = getattr(self._torch, OTHER_NAMES.get(name, name)), of_numbers(name)

        def of_values(*values: Value) -> Value:
            """Return the function's value, by element if there are some."""
            for one in values:
                if isinstance(one, self._torch.Tensor):
                    break
            else:
                return of_number(*values)
            if len(values) == 1:
                return function(one)
            return function(*[self._tensor(value, one) for value in values])

        return of_values

    def _tensor(self, value: Value, like: Array) -> Array:
        """Return an argument as a tensor of the type of another."""
        if isinstance(value, self._torch.Tensor):
            return value
        return self._torch.as_tensor(value, dtype=like.dtype, device=like.device)
