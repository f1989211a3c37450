"""Search for the start of 2 to 4 vehicles from which they come nearest."""

import math

import numpy as np

from soliton_encirclement_ros.safety.braking import braking_path
from soliton_encirclement_ros.safety.pair_barrier import closest_approach
from support.safety.crowd import fly

SPACE = 12.0
"""Starts and goals are within this distance from 0 in east and north [m]."""


def is_admissible(settings, bodies):
    """Say whether all pairs would keep D if all braked, which the filter starts from."""
    _, _, a, _, tau, _ = settings.limits
    paths = [braking_path(*body[:2], *body[3:5], a, tau) for body in bodies]
    for i, one in enumerate(paths):
        for other in paths[:i]:
            near = closest_approach(one, other, a, tau)
            ends = math.hypot(one.px - other.px, one.py - other.py)
            if min(math.hypot(near.x, near.y), ends) < settings.distance:
                return False
    return True


def scene(settings, numbers):
    """Return starts and goals from numbers: position, velocity and goal of every vehicle."""
    rows = np.reshape(numbers, (-1, 6))
    bodies, goals = np.zeros((len(rows), 6)), np.zeros((len(rows), 3))
    bodies[:, :2] = np.clip(rows[:, :2], -SPACE, SPACE)
    speed = np.maximum(1.0, np.hypot(rows[:, 2], rows[:, 3]) / settings.limits[0])
    bodies[:, 3:5] = rows[:, 2:4] / speed[:, None]
    goals[:, :2] = np.clip(rows[:, 4:], -SPACE, SPACE)
    return bodies, goals


def least(settings, numbers, how):
    """Return the least distance [m] in a flight of 6 s; infinity if the start is inadmissible."""
    bodies, goals = scene(settings, numbers)
    if not is_admissible(settings, bodies):
        return math.inf
    return fly(settings, bodies, goals, 6.0, **how).least


def search(settings, n, restarts, rounds, seed, **how):
    """Return the least distance found, and its numbers.

    Random restarts; from the best of 20 draws each, steps along single coordinates, half as wide
    after a round without success.
    """
    draw = np.random.default_rng(seed)
    best, found = math.inf, None
    for _ in range(restarts):
        widths = np.tile([SPACE, SPACE, 10.0, 10.0, SPACE, SPACE], n)
        draws = [draw.uniform(-widths, widths) for _ in range(20)]
        values = [least(settings, numbers, how) for numbers in draws]
        here, value = draws[int(np.argmin(values))], min(values)
        step = 2.0
        for _ in range(rounds):
            before = value
            for k in draw.permutation(6 * n):
                for sign in (1.0, -1.0):
                    there = here.copy()
                    there[k] += sign * step
                    reached = least(settings, there, how)
                    if reached < value:
                        here, value = there, reached
            if value == before:
                step *= 0.5
        if value < best:
            best, found = value, here
    return best, found
