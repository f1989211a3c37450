"""Libraries of arrays: which there are, and what numbers do where plain Python would raise."""

import math
import subprocess
import sys
from typing import Any

import numpy as np
import pytest

from support.vehicles.batches import LIBRARIES
from velocity_mobility_ros.core.random_numbers import LARGEST_SEED, hashed, normal_pair
from velocity_mobility_ros.vehicles.batched.array_namespace import FUNCTIONS, BatchError, namespace
from velocity_mobility_ros.vehicles.batched.array_translation import over_arrays

POINTS = [-1e300, -2.5, -1.0, -0.3, 0.0, 1e-9, 0.7, 1.0, 30.0, math.inf, -math.inf, math.nan]
TWO = ('atan2', 'fmod', 'copysign')
TAKEN = np.array([True, False, True])


@pytest.mark.parametrize('library', LIBRARIES)
@pytest.mark.parametrize('name', FUNCTIONS)
def test_functions_are_those_of_math(name: str, library: str) -> None:
    """To four units in the last place; where ``math`` raises, numbers are as elements."""
    xp = namespace(library)
    function = getattr(xp.modules['math'], name)
    more = [np.array([2.0])] if name in TWO else []
    for point in POINTS:
        with np.errstate(all='ignore'):
            arrays = [xp.array(one) for one in (np.array([point]), *more)]
            element = float(np.asarray(function(*arrays))[0])
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
        'from velocity_mobility_ros.vehicles.batched import BatchedVehicle, namespace',
        'assert "torch" not in sys.modules',
        'namespace("torch")',
    ]
    command = [sys.executable, '-c', '\n'.join(lines)]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.stderr.splitlines()[-1].endswith(
        "BatchError: torch cannot be used on device 'cpu': libcudnn.so.9: cannot open"
    )


@pytest.mark.parametrize('dtype', ['float64', 'float32'])
@pytest.mark.parametrize('library', LIBRARIES)
def test_mixed_values_have_the_type_of_the_namespace(library: str, dtype: str) -> None:
    """Numbers take the type of the arrays; two numbers that of the namespace."""
    xp = namespace(library, dtype)
    taken, column = xp.array(TAKEN), xp.array([0.5, 1.5, 2.5])
    for one, other in ((1.0, 2.0), (column, 2.0), (1.0, column), (column, column)):
        assert np.asarray(xp.where(taken, one, other)).dtype == dtype
    assert np.asarray(xp.where(taken, 1, 2)).dtype == np.int64
    assert np.asarray(xp.spread(1, 3)).dtype == np.int64
    assert np.asarray(xp.spread(True, 3)).dtype == bool


@pytest.mark.parametrize('library', LIBRARIES)
def test_a_condition_that_is_the_same_everywhere_is_plain(library: str) -> None:
    """The other branch is then left out."""
    xp = namespace(library)
    assert xp.condition(xp.array([True, True])) is True
    assert xp.condition(xp.array([0.0, 0.0])) is False
    assert xp.condition(3.0) is True
    assert np.asarray(xp.condition(xp.array([True, False]))).tolist() == [True, False]


@pytest.mark.parametrize('library', LIBRARIES)
def test_an_unknown_device_is_refused(library: str) -> None:
    """In one line."""
    with pytest.raises(BatchError, match=r"device (= )?'abacus'"):
        namespace(library, device='abacus')


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
        rows = np.column_stack([np.asarray(part) for part in pair])
        np.testing.assert_allclose(rows, [normal_pair(*one) for one in alone], rtol=1e-14)
