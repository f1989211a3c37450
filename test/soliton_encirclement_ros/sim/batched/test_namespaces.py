"""Libraries of arrays: which there are, and what numbers do where plain Python would raise.

Unsigned integers are over signed ones.
"""

import math
import subprocess
import sys
from typing import Any, NamedTuple

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from soliton_encirclement_ros.sim.batched import namespace, over_arrays
from soliton_encirclement_ros.sim.batched.errors import BatchError
from soliton_encirclement_ros.sim.batched.numpy_namespace import UFUNCS
from soliton_encirclement_ros.sim.batched.records import stacked
from soliton_encirclement_ros.sim.batched.unsigned import Unsigned, signed
from support.vehicles.batches import LIBRARIES
from velocity_mobility_ros.core.random_numbers import LARGEST_SEED, hashed, normal_pair

POINTS = [-1e300, -2.5, -1.0, -0.3, 0.0, 1e-9, 0.7, 1.0, 30.0, math.inf, -math.inf, math.nan]
TWO = ('atan2', 'fmod', 'copysign')
TAKEN = np.array([True, False, True])


@pytest.mark.parametrize('library', LIBRARIES)
@pytest.mark.parametrize('name', UFUNCS)
def test_functions_are_those_of_math(name: str, library: str) -> None:
    """To four units in the last place; where ``math`` raises, numbers are as elements."""
    xp = namespace(library)
    function = getattr(xp.functions['math'], name)
    more = [np.array([2.0])] if name in TWO else []
    for point in POINTS:
        with xp.errors_as_values():
            arrays = [xp.array(one) for one in (np.array([point]), *more)]
            element = float(xp.to_numpy(function(*arrays))[0])
        number = function(point, *([2.0] if more else []))
        assert element == pytest.approx(float(number), rel=1e-15, nan_ok=True)
        try:
            plain = getattr(math, name)(point, *([2.0] if more else []))
        except (ValueError, OverflowError):
            continue
        assert number == plain or (math.isnan(number) and math.isnan(plain))


@pytest.mark.parametrize(
    ('given', 'message'),
    [
        ({'library': 'jax'}, "^library = 'jax' is unknown; known: numpy, torch$"),
        ({'dtype': 'float16'}, "^dtype = 'float16' is unknown; known: float64, float32$"),
        ({'device': 'cuda'}, "^device = 'cuda' is for torch; numpy has the cpu alone$"),
        ({'dtype': 'float32', 'exact': True}, 'exact = True is for numpy in float64, not for'),
        ({'library': 'torch', 'exact': True}, 'not for torch in float64'),
    ],
)
def test_unknown_ones_are_refused(given: dict[str, Any], message: str) -> None:
    """In one line."""
    with pytest.raises(BatchError, match=message):
        namespace(**{'library': 'numpy', **given})


def test_the_same_is_the_same() -> None:
    """So that functions are rewritten once."""
    assert namespace('numpy') is namespace('numpy') is not namespace('numpy', 'float32')
    assert namespace(namespace('numpy')) is namespace('numpy')


def test_a_missing_torch_is_said_in_one_line(tmp_path: Any) -> None:
    """Also one whose libraries of CUDA are missing; nothing else needs it."""
    (tmp_path / 'torch.py').write_text("raise ImportError('libcudnn.so.9: cannot open')\n")
    lines = [
        'import sys',
        f'sys.path.insert(0, {str(tmp_path)!r})',
        'from soliton_encirclement_ros.sim.batched import BatchedVehicle, namespace',
        'assert "torch" not in sys.modules',
        'namespace("torch")',
    ]
    command = [sys.executable, '-c', '\n'.join(lines)]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.stderr.splitlines()[-1].endswith(
        'BatchError: torch cannot be imported (libcudnn.so.9: cannot open); pip install torch'
    )


@pytest.mark.parametrize('dtype', ['float64', 'float32'])
@pytest.mark.parametrize('library', LIBRARIES)
def test_mixed_values_have_the_type_of_the_namespace(library: str, dtype: str) -> None:
    """Numbers take the type of the arrays; two numbers that of the namespace."""
    xp = namespace(library, dtype)
    taken, column = xp.array(TAKEN), xp.array([0.5, 1.5, 2.5])
    for one, other in ((1.0, 2.0), (column, 2.0), (1.0, column), (column, column)):
        assert xp.to_numpy(xp.where(taken, one, other)).dtype == dtype
    assert xp.to_numpy(xp.where(taken, 1, 2)).dtype == np.int64
    assert xp.to_numpy(xp.spread(1, 3)).dtype == np.int64
    assert xp.to_numpy(xp.spread(True, 3)).dtype == bool


@pytest.mark.parametrize('library', LIBRARIES)
def test_a_condition_that_is_the_same_everywhere_is_plain(library: str) -> None:
    """The other branch is then left out."""
    xp = namespace(library)
    assert xp.condition(xp.array([True, True])) is True
    assert xp.condition(xp.array([0.0, 0.0])) is False
    assert xp.condition(3.0) is True
    assert xp.to_numpy(xp.condition(xp.array([True, False]))).tolist() == [True, False]


@pytest.mark.parametrize('library', LIBRARIES)
def test_an_unknown_device_is_refused(library: str) -> None:
    """In one line."""
    with pytest.raises(BatchError, match=r"^device (= )?'abacus'"):
        namespace(library, device='abacus')


WORDS = st.integers(0, 2**64 - 1)


def word(number: int) -> Unsigned:
    """Return one number."""
    return Unsigned(np.array([signed(number)]))


def value(found: Unsigned) -> int:
    """Return the number again."""
    return int(found.bits[0]) % 2**64


@given(WORDS, WORDS, st.integers(0, 63))
def test_arithmetic_is_that_modulo_2_to_64(one: int, other: int, shift: int) -> None:
    """Between two, and with plain integers on either side."""
    a, b = word(one), word(other)
    for right in (b, other):
        assert value(a + right) == (one + other) % 2**64
        assert value(a * right) == one * other % 2**64
        assert value(a ^ right) == one ^ other
        assert value(a & right) == one & other
    assert value(other + a) == (one + other) % 2**64
    assert value(other ^ a) == one ^ other
    assert value(a >> shift) == one >> shift


@pytest.mark.parametrize('library', LIBRARIES)
def test_random_numbers_of_bodies_are_those_of_each(library: str) -> None:
    """Keys, counts, or both by body."""
    xp = namespace(library)
    seeds, counts = np.array([0, 1, 77, LARGEST_SEED]), np.array([0, 1, 2**40, 2**51])
    key = over_arrays(hashed, xp)(hashed(5, 0), xp.array(seeds))
    keys = [hashed(hashed(5, 0), seed) for seed in seeds.tolist()]
    cases = [
        (key, xp.array(counts), zip(keys, counts.tolist(), strict=True)),
        (key, 3, [(one, 3) for one in keys]),
        (keys[0], xp.array(counts), [(keys[0], count) for count in counts.tolist()]),
    ]
    for of_bodies, count, alone in cases:
        pair = over_arrays(normal_pair, xp)(of_bodies, count)
        rows = np.column_stack([xp.to_numpy(part) for part in pair])
        np.testing.assert_allclose(rows, [normal_pair(*one) for one in alone], rtol=1e-14)


class Thing(NamedTuple):
    """Numbers of all kinds."""

    size: float
    place: tuple[float, float]
    count: int
    is_free: bool


def test_what_differs_between_records_becomes_an_array() -> None:
    """By its type; NaN equals NaN, and 0 does not equal -0."""
    one, other = Thing(math.nan, (0.0, 1.0), 2, True), Thing(math.nan, (-0.0, 1.0), 3, False)
    found = stacked([one, other], namespace('numpy'))
    assert math.isnan(found.size) and found.place[1] == 1.0
    assert np.signbit(found.place[0]).tolist() == [False, True]
    assert found.count.dtype == np.int64 and found.is_free.tolist() == [True, False]
    assert isinstance(found, Thing)
