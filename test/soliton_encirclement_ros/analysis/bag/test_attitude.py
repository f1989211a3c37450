"""Many attitudes at once are turned as one by one."""

import numpy as np
import pytest
from soliton_encirclement_ros.analysis.bag.attitude import turned, turned_by_yaw, yaws
from transforms3d.quaternions import rotate_vector
from velocity_mobility_ros.core.frames import rotate_z, yaw_from_quaternion


def attitudes(count: int = 500) -> np.ndarray:
    drawn = np.random.default_rng(3).normal(size=(count, 4))
    return drawn / np.linalg.norm(drawn, axis=1, keepdims=True)


def test_headings_are_those_of_single_ones() -> None:
    single = [yaw_from_quaternion(*attitude) for attitude in attitudes().tolist()]
    assert yaws(attitudes()) == pytest.approx(np.array(single), abs=1e-12)


def test_vectors_turn_as_single_ones() -> None:
    vectors = np.random.default_rng(4).normal(size=(500, 3))
    single = [rotate_vector(v, [w, x, y, z])
              for v, (x, y, z, w) in zip(vectors, attitudes(), strict=True)]  # fmt: skip
    assert np.allclose(turned(attitudes(), vectors), single, atol=1e-12)


def test_level_vectors_turn_by_yaw() -> None:
    rng = np.random.default_rng(5)
    yaw, vectors = rng.uniform(-4, 4, 100), rng.normal(size=(100, 3))
    single = [[*rotate_z(x, y, a), z] for a, (x, y, z) in zip(yaw, vectors, strict=True)]
    assert np.allclose(turned_by_yaw(yaw, vectors), single, atol=1e-15)


def test_no_attitude_turns_nothing() -> None:
    vectors = np.ones((1, 3))
    assert turned(np.zeros((1, 4)), vectors).tolist() == vectors.tolist()
    assert yaws(np.zeros((1, 4))).tolist() == [0.0]
