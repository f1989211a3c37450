"""Random states, half-planes and settings for tests of the safety filter."""

import math

import numpy as np

from soliton_encirclement_ros.safety.braking import braking_path
from soliton_encirclement_ros.safety.filter_records import (
    AGE, BASE, COLUMNS, EXTRA, ID, KIND, MUTUAL, NX, NY, SCRATCH_COLUMNS, SCRATCH_ROWS, SOURCE, VX,
    VY, VZ, WHO, X, Y, Z
)

LIMITS = (10.0, 5.0, 4.0, 5.0, 1.0, 1.2)
QUICK = (10.0, 5.0, 4.0, 5.0, 0.2, 0.2)
LAGS = (0.2, 1.0)


def velocity(draw, most=10.0):
    """Return a velocity; every fifth one is 0."""
    if draw.random() < 0.2:
        return 0.0, 0.0
    angle, speed = draw.uniform(0.0, 2.0 * math.pi), draw.uniform(0.0, most)
    return speed * math.cos(angle), speed * math.sin(angle)


def path(draw, tau, a=4.0, space=8.0):
    """Return a random braking path."""
    return braking_path(*draw.uniform(-space, space, 2), *velocity(draw), a, tau)


def row(x, y, vx=0.0, vy=0.0, **rest):
    """Return the row of another body: ``z``, ``vz``, ``age``, ``kind``, ``name``."""
    found = [0.0] * COLUMNS
    found[X], found[Y], found[VX], found[VY] = float(x), float(y), float(vx), float(vy)
    found[Z], found[VZ] = rest.get('z', 0.0), rest.get('vz', 0.0)
    found[AGE], found[KIND] = rest.get('age', 0.0), rest.get('kind', MUTUAL)
    found[ID] = rest.get('name', 7)
    return found


def scratch():
    """Return empty scratch rows."""
    return [[0.0] * SCRATCH_COLUMNS for _ in range(SCRATCH_ROWS)]


def half_planes(rows):
    """Return scratch rows of half-planes (nx, ny, base, extra) that need no unit normals."""
    found = scratch()
    for place, (nx, ny, base, extra) in zip(found, rows, strict=False):
        size = math.hypot(nx, ny)
        place[NX], place[NY], place[BASE], place[EXTRA] = nx / size, ny / size, base, extra
        place[SOURCE], place[WHO] = 1, -1
    return found


def stream(seed):
    """Return a generator."""
    return np.random.default_rng(seed)
