"""Many kinematic vehicles that fly to goals, with or without the filter; compilable.

States travel with delay, loss and clock error; a vehicle that dies has command 0 and is silent.
"""

import math
from typing import NamedTuple

import numpy as np

from soliton_encirclement_ros.core.laws.filter_codes import LIMITS, NONE, RELAXED
from soliton_encirclement_ros.safety.filter import RESULT, filter_into
from soliton_encirclement_ros.safety.filter_records import (
    AGE, COLUMNS, EMPTY, GHOST, ID, KIND, MUTUAL, SCRATCH_COLUMNS, SCRATCH_ROWS, FilterSettings,
    OwnState
)
from soliton_encirclement_ros.sim.compilation.call_graph import adopt
from soliton_encirclement_ros.sim.compilation.compiled import compiled
from velocity_mobility_ros.core.velocity_model import Limits, step

SPEED = 8.0
DEFAULT: Limits = (10.0, 5.0, 4.0, 5.0, 1.0, 1.2)
QUICK: Limits = (10.0, 5.0, 4.0, 5.0, 0.2, 0.2)
FENCE = np.zeros((0, 4))
NOT_YET = -1.0
NEVER = 10**9
LEAST, SWITCHED, RELAXED_TICKS, WHEN = range(4)


class Radio(NamedTuple):
    """How states travel: delay [ticks], loss, timeout [s], clock error [s], seed."""

    delay: int = 1
    loss: float = 0.0
    timeout: float = 1.0
    clock: float = 0.0
    seed: int = 1


class Flight(NamedTuple):
    """Least distance [m], when [s], shares of ticks filtered and relaxed, arrivals [s] or inf."""

    least: float
    when: float
    filtered: float
    relaxed: float
    arrivals: np.ndarray
    ends: np.ndarray


def uniform(state):
    """Return the next state of a generator; its value / 2^31 is uniform."""
    return (1103515245 * state + 12345) % 2147483648


def wish(body, goal, speed, out):
    """Write the velocity to a goal: 1 / s of the way, not faster than a speed."""
    size = 0.0
    for k in range(3):
        out[k] = goal[k] - body[k]
        size += out[k] * out[k]
    size = math.sqrt(size)
    if size > speed:
        for k in range(3):
            out[k] *= speed / size


def receive(now, bodies, history, heard, deaths, radio, draw):
    """Deliver the states of ``radio.delay`` ticks ago, each to each other unless lost."""
    sent = now - radio.delay
    slot = sent % len(history)
    for i in range(len(bodies)):
        for j in range(len(bodies)):
            draw = uniform(draw)
            lost = draw / 2147483648.0 < radio.loss
            if i == j or sent < 0 or sent >= deaths[j] or lost:
                continue
            for k in range(6):
                heard[i, j, k] = history[slot, j, k]
            heard[i, j, AGE] = sent
    return draw


def look(i, now, period, heard, radio, others):
    """Write what body i knows of the others into rows."""
    for j in range(len(others)):
        for k in range(6):
            others[j, k] = heard[i, j, k]
        skew = radio.clock * (1.0 if (i + j) % 2 == 0 else -1.0)
        age = (now - heard[i, j, AGE]) * period
        others[j, AGE] = max(0.0, age + skew)
        others[j, KIND] = EMPTY if i == j else (MUTUAL if age <= radio.timeout else GHOST)
        others[j, ID] = j


def least_distance(bodies, least):
    """Return the least distance of two bodies, or the one so far."""
    for i in range(len(bodies)):
        for j in range(i):
            d = 0.0
            for k in range(3):
                d += (bodies[i, k] - bodies[j, k]) * (bodies[i, k] - bodies[j, k])
            least = min(least, math.sqrt(d))
    return least


def decide(
    settings, on, speed, radio, now, bodies, goals, deaths, heard, others, scratch, wanted,
    commands, results, fence, tally,
):  # fmt: skip
    """Write the next commands of all bodies."""
    for i in range(len(bodies)):
        wish(bodies[i], goals[i], speed, wanted)
        if now >= deaths[i] or not on:
            for k in range(3):
                results[i, k] = 0.0 if now >= deaths[i] else wanted[k]
            continue
        look(i, now, settings.period, heard, radio, others)
        own = OwnState(
            (bodies[i, 0], bodies[i, 1], bodies[i, 2]), (bodies[i, 3], bodies[i, 4], bodies[i, 5])
        )
        reason = filter_into(
            settings, own, (wanted[0], wanted[1], wanted[2]),
            (commands[i, 0], commands[i, 1], commands[i, 2]), others, fence, scratch, results[i],
        )  # fmt: skip
        tally[SWITCHED] += reason != NONE and reason != LIMITS
        tally[RELAXED_TICKS] += reason >= RELAXED


def move(bodies, commands, dt, limits):
    """Move all bodies by one update."""
    for i in range(len(bodies)):
        p, v = step(
            (bodies[i, 0], bodies[i, 1], bodies[i, 2]),
            (bodies[i, 3], bodies[i, 4], bodies[i, 5]),
            (commands[i, 0], commands[i, 1], commands[i, 2]), dt, limits,
        )  # fmt: skip
        bodies[i, 0], bodies[i, 1], bodies[i, 2] = p
        bodies[i, 3], bodies[i, 4], bodies[i, 5] = v


def note_arrivals(bodies, goals, now, arrivals):
    """Note since when [s] bodies have been within half a metre of their goals."""
    for i in range(len(bodies)):
        d = 0.0
        for k in range(3):
            d += (bodies[i, k] - goals[i, k]) * (bodies[i, k] - goals[i, k])
        if d > 0.25:
            arrivals[i] = NOT_YET
        elif arrivals[i] < 0.0:
            arrivals[i] = now


def fly_rows(
    settings, limits, on, speed, radio, bodies, goals, deaths, ticks, history, heard, others,
    scratch, wanted, commands, results, fence, arrivals, tally,
):  # fmt: skip
    """Fly; the filter may be wrong about the limits of the vehicles."""
    draw = radio.seed
    updates = int(settings.period / settings.update + 0.5)
    late = int(settings.delay / settings.update + 0.5)
    for now in range(ticks):
        for i in range(len(bodies)):
            for k in range(6):
                history[now % len(history), i, k] = bodies[i, k]
            for k in range(3):
                commands[i, k] = results[i, k]
        draw = receive(now, bodies, history, heard, deaths, radio, draw)
        decide(
            settings, on, speed, radio, now, bodies, goals, deaths, heard, others, scratch,
            wanted, commands, results, fence, tally,
        )  # fmt: skip
        for u in range(updates):
            if u == late:
                for i in range(len(bodies)):
                    for k in range(3):
                        commands[i, k] = results[i, k]
            move(bodies, commands, settings.update, limits)
            least = least_distance(bodies, tally[LEAST])
            if least < tally[LEAST]:
                tally[LEAST], tally[WHEN] = least, now * settings.period
        note_arrivals(bodies, goals, (now + 1) * settings.period, arrivals)
    return 0


adopt(fly_rows)


def fly(settings, bodies, goals, seconds, **how):
    """Fly and return what happened.

    Args:
        settings: Of the filter.
        bodies: Positions and velocities at the start, n x 6.
        goals: Goals, n x 3.
        seconds: How long.
        how: ``on``, ``speed``, ``radio``, ``deaths`` [ticks], ``limits`` (the true ones),
            ``fence``.
    """
    n, radio = len(bodies), how.get('radio', Radio())
    bodies, goals = np.array(bodies, float), np.array(goals, float)
    deaths = np.array(how.get('deaths', [NEVER] * n), np.int64)
    heard = np.zeros((n, n, COLUMNS))
    heard[:, :, :6] = bodies[None]
    ticks = round(seconds / settings.period)
    tally, arrivals = np.array([np.inf, 0.0, 0.0, 0.0]), np.full(n, NOT_YET)
    compiled(fly_rows)(
        settings, how.get('limits', settings.limits), how.get('on', True), how.get('speed', SPEED),
        radio, bodies, goals, deaths, ticks, np.zeros((radio.delay + 1, n, 6)), heard,
        np.zeros((n, COLUMNS)), np.zeros((SCRATCH_ROWS, SCRATCH_COLUMNS)), np.zeros(3),
        np.zeros((n, 3)), np.zeros((n, RESULT)), how.get('fence', FENCE), arrivals, tally,
    )  # fmt: skip
    all_ticks = float(n * ticks)
    arrivals = np.where(arrivals < 0.0, np.inf, arrivals)
    return Flight(
        float(tally[LEAST]), float(tally[WHEN]), float(tally[SWITCHED]) / all_ticks,
        float(tally[RELAXED_TICKS]) / all_ticks, arrivals, bodies,
    )  # fmt: skip


def swap(n, radius, jitter=0.0, seed=0):
    """Return starts and goals of n vehicles on a circle that swap through its centre."""
    angles = np.arange(n) * 2.0 * np.pi / n
    starts = np.zeros((n, 6))
    starts[:, 0], starts[:, 1] = radius * np.cos(angles), radius * np.sin(angles)
    goals = -starts[:, :3].copy()
    starts[:, :2] += jitter * np.random.default_rng(seed).standard_normal((n, 2))
    return starts, goals


def settings(limits=DEFAULT, **changes):
    """Return settings of the filter."""
    return FilterSettings(limits, **changes)
