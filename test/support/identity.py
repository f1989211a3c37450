"""For tests that hold the engine to the plain loop, bit for bit: one flight by either."""

import itertools
import math
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

import numpy as np
import pytest

from soliton_encirclement_ros.core.flight_statistics.original_study import StudyRecord
from soliton_encirclement_ros.core.parameters.control_parameters import (
    CONTROLLER_NAMES, OUR_NAMES, PREDICTIVE
)
from soliton_encirclement_ros.core.run.observer import RunRecord
from soliton_encirclement_ros.core.scenario.random_streams import REFERENCE
from soliton_encirclement_ros.core.scenario.scenario import Scenario
from soliton_encirclement_ros.core.states.swarm_topics import uav
from soliton_encirclement_ros.sim import get_ready
from soliton_encirclement_ros.sim.chunk import Chunk
from soliton_encirclement_ros.sim.compilation import loaded_code
from soliton_encirclement_ros.sim.engine import Engine
from support.chunks import Samples
from support.engine_flights import keep, whole
from support.plain_loop import SwarmLoop, plain_loop

STRUCTURES = (PREDICTIVE, *OUR_NAMES, 'splay')
"""Laws of every structure: the other published ones differ from ``soliton`` by one formula."""

LAWS = pytest.mark.parametrize('law', STRUCTURES)

INTERPRETED = {'compiled_at': math.inf}
"""For ``by_engine``: the kernel as it stands, without a compiler."""

EVERY_LAW = pytest.mark.parametrize('law', CONTROLLER_NAMES)

SEEN = tuple(name for name in Chunk._fields if name != 'attitudes')
"""What agents see and do; attitudes are compared with a recording."""

SEPARATIONS = ('closest', 'encounters')

Changes = dict[str, dict[str, Any]]

BY_EVENTS: Changes = {'run': {'rng': REFERENCE, 'sim_duration': 4.0}}
"""One event after the other, in the order of the original experiment."""


@pytest.fixture(scope='session')
def by_events() -> None:
    """Have the laws compiled for both orders of events, outside the time of any test."""
    get_ready([loaded_code.DEFAULT, loaded_code.DEFAULT._replace(rng=REFERENCE)])


def in_turn(cases: Iterable[str]) -> pytest.MarkDecorator:
    """Return parameters ``case`` and ``law``: each case with one law, the laws in turn."""
    turns = list(zip(cases, itertools.cycle(STRUCTURES), strict=False))
    return pytest.mark.parametrize(('case', 'law'), turns)


class Flown(NamedTuple):
    """Everything that comes of a flight."""

    chunk: Chunk
    seen: RunRecord
    study: StudyRecord


def scenario(*changes: Changes) -> Scenario:
    """Return six agents in a hurry for six seconds, then changed."""
    brisk: Changes = {'run': {'num_agents': 6, 'sim_duration': 6.0, 'seed': 7}}
    flown = Scenario('identity').with_changes(brisk, 'test')
    for change in changes:
        flown = flown.with_changes(change, 'test')
    return flown


def by_engine(
    flown: Scenario, every: int = 1, lump: int = 0, compiled_at: float = 0.0
) -> Flown:
    """Fly by the engine.

    Args:
        flown: What to fly.
        every: Ticks between two samples.
        lump: Ticks at a time; 0: as the engine likes.
        compiled_at: Ticks after which there is compiled code; 0: from the begin.
    """
    is_compiled = (lambda: engine.ticks >= compiled_at) if compiled_at else None
    engine = Engine(
        flown, every, study=True, trails=True, gossip=True, is_compiled=is_compiled
    )
    chunks = keep(engine)
    while lump and engine.ticks < flown.ticks:
        engine.advance(lump)
    assert engine.fly()
    return Flown(whole(chunks), engine.seen, engine.study)


def by_loop(flown: Scenario) -> Flown:
    """Fly by the plain loop."""
    loop = plain_loop(flown)
    watch, samples = StudyWatch(loop), Samples(loop)

    def note() -> None:
        watch.note()
        samples.note()

    loop.fly(each_tick=note)
    return Flown(samples.take(), loop.observer, watch.record())


class StudyWatch:
    """Takes down the study's record beside a plain loop."""

    def __init__(self, loop: SwarmLoop) -> None:
        """Look over the shoulder of the world's bodies."""
        self._loop, self._move_on = loop, loop.world.move
        self._names = [uav(k) for k in loop.scenario.agent_ids]
        self._errors: list[list[float]] = []
        self._failed: list[list[bool]] = []
        self._speeds: list[list[float]] = []
        loop.world.move = self._move_and_note

    def note(self) -> None:
        """Note errors and health after a tick."""
        crew = self._loop.crew
        rows = [crew[name].rows for name in self._names]
        self._errors.append([row.flight.agents[row.i].e_tau for row in rows])
        self._failed.append([crew[name].failures.failed for name in self._names])

    def record(self) -> StudyRecord:
        """Return what was noted."""
        flown = self._loop.scenario
        shape = (flown.ticks, flown.substeps, len(self._names))
        updates = flown.ticks * flown.substeps
        return StudyRecord(
            np.array(self._errors), np.array(self._failed),
            np.array(self._speeds[-updates:]).reshape(shape),
            flown.swarm.control_period, flown.mobility.update_rate, flown.mobility.max_speed_xy,
        )  # fmt: skip

    def _move_and_note(self) -> None:
        self._move_on()
        bodies = [self._loop.world.bodies[name].motion.velocity for name in self._names]
        self._speeds.append([math.sqrt(x * x + y * y + z * z) for x, y, z in bodies])


def assert_identical(flown: Scenario, *hows: Mapping[str, Any], **how: Any) -> Flown:
    """Fail unless engine and loop give the same bits of everything; return the loop's flight.

    Args:
        flown: What to fly.
        hows: Ways in which the engine flies it; none: one way.
        how: That one way, as ``by_engine`` takes it.
    """
    expected = by_loop(flown)
    for way in hows or (how,):
        assert differences(expected, by_engine(flown, **way)) == []
    return expected


def differences(one: Flown, other: Flown) -> list[str]:
    """Return where two flights differ, as ``agents (12, 3, 7): 1.0 2.0``."""
    pairs = [
        *((name, getattr(one.chunk, name), getattr(other.chunk, name)) for name in SEEN),
        *((name, getattr(one.study, name), getattr(other.study, name))
          for name in StudyRecord._fields),
        *((name, one.seen.series[name], other.seen.series[name]) for name in one.seen.series),
    ]  # fmt: skip
    found = [text for name, a, b in pairs if (text := difference(name, a, b))]
    for name in (
        'events',
        'trails',
        'down',
        'switches',
        'uptime',
        'last',
        'outside',
        'filtered',
        'estimate_errors',
        *SEPARATIONS,
    ):
        a, b = getattr(one.seen, name), getattr(other.seen, name)
        if a != b and not alike(a, b):
            found.append(f'{name}: {a} {b}')
    return found


def alike(one: Any, other: Any) -> bool:
    """Say whether the texts agree: the shortest that read back as the same numbers."""
    return repr(one) == repr(other)


def difference(name: str, one: Any, other: Any) -> str:
    """Return the first place where two arrays differ, NaN being equal to NaN; empty if none."""
    a, b = np.asarray(one, float), np.asarray(other, float)
    if a.shape != b.shape:
        return f'{name}: shapes {a.shape} {b.shape}'
    apart = np.argwhere(~((a == b) | (np.isnan(a) & np.isnan(b))))
    if not len(apart):
        return ''
    place = tuple(map(int, apart[0]))
    return f'{name} {place}: {a[place]!r} {b[place]!r}'
