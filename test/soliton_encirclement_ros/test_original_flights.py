"""The original's flights come back: its queue of events, its draws, our laws.

Positions agree to the last digit that was printed, the metrics to what is left of hypot and sqrt
rounding apart. Our own loop of ticks does what the original's swarm did.
"""

import math
import random
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from soliton_encirclement_ros.core.scenario.scenario import Scenario
from soliton_encirclement_ros.core.states.swarm_topics import ADVERSARY, TARGET, uav
from soliton_encirclement_ros.members.own_target import Adversary, Target
from soliton_encirclement_ros.sim import get_ready
from soliton_encirclement_ros.sim.compilation.loaded_code import DEFAULT
from soliton_encirclement_ros.sim.engine import Engine
from support.engine_flights import flown
from support.original import GOLDEN, REFERENCE, Watched, original, overridden
from support.plain_loop import EventLoop, make_actors
from support.ready import NO_HURRY, laws
from support.reference import flights

__all__ = ['laws']

pytestmark = NO_HURRY


@pytest.fixture(scope='module')
def events() -> None:
    """Compile what flies by events, whose time is not that of a test."""
    get_ready([DEFAULT._replace(rng='reference')])


PRINTED = 5.1e-7
"""Half of the last digit of a position [m]."""

REPEATABLE = flights('v3') + flights('v1', drawn=False)
"""All that the reference has; the first version drew its places otherwise than we do."""


def flown_positions(loop: EventLoop, nodes: list[str]) -> np.ndarray:
    """Fly to the end; return where everybody was at every tick, target and adversary first."""
    places = []
    loop.fly(each_tick=lambda: places.append([loop.world.pose(n).position[:2] for n in nodes]))
    return np.array(places)


FIRST_PART = 60.0
"""So much of a flight is flown in plain Python [s]; the engine flies all of it."""


def first_part(scenario: Scenario) -> Scenario:
    """Return a scenario that ends early."""
    end = min(scenario.run.sim_duration, FIRST_PART)
    return scenario.with_changes({'run': {'sim_duration': end}}, 'first part')


def until(rows: list[list[float]], scenario: Scenario) -> list[list[float]]:
    """Return the rows up to the end of a scenario."""
    return [row for row in rows if row[0] < scenario.run.sim_duration]


@pytest.mark.one_in(16)
@pytest.mark.parametrize('name', REPEATABLE)
def test_a_flight_of_the_original_comes_back(reference: Callable[[str], Any], name: str) -> None:
    """Every position and every metric of every printed row; for nobody the original has zeros."""
    run = reference(name)
    part = overridden(run['overrides'], run['overrides']['seed']).with_changes(REFERENCE, 'x')
    part = first_part(part)
    run = {**run, **{table: until(run[table], part) for table in ('positions', 'metrics')}}
    assert run['positions'] and run['metrics']
    loop = Watched(part)
    loop.place(run['initial_agent_positions'])
    nodes = [TARGET, ADVERSARY, *(uav(k) for k in part.agent_ids)]
    places, ticks = flown_positions(loop, nodes), printed_ticks(run)
    assert np.abs(places[ticks - 1] - printed_places(run)).max() < PRINTED
    rows = {row[0]: row[1:] for row in loop.rows}
    for time, *metrics in run['metrics']:
        expected = metrics if any(metrics) else [np.nan] * len(metrics)
        assert rows[time] == pytest.approx(expected, rel=1e-9, abs=1e-9, nan_ok=True), time


@pytest.mark.usefixtures('events')
@pytest.mark.parametrize('name', flights('v3'))
def test_the_engine_flies_it_from_the_seed_alone(
    reference: Callable[[str], Any], name: str
) -> None:
    """Places, goals, directions and failures are drawn as there."""
    run = reference(name)
    whole = overridden(run['overrides'], run['overrides']['seed']).with_changes(REFERENCE, 'x')
    engine, places = Engine(whole), []
    engine.on_chunk = lambda chunk: places.append(np.concatenate(
        [chunk.target[:, None, :2], chunk.adversary[:, None, :2], chunk.agents[:, :, :2]], axis=1
    ))  # fmt: skip
    engine.fly()
    found = np.concatenate(places)[printed_ticks(run) - 1]
    assert np.abs(found - printed_places(run)).max() < PRINTED


def printed_ticks(run: dict[str, Any]) -> np.ndarray:
    """Return the ticks whose positions were printed."""
    return np.array([round(row[0] / run['control_period']) for row in run['positions']])


def printed_places(run: dict[str, Any]) -> np.ndarray:
    """Return the printed positions, target and adversary first."""
    return np.array([row[1:] for row in run['positions']])


METRICS = ('E_r', 'E_vr', 'rho', 'G_max', 'E_gap')


@pytest.mark.parametrize('name', flights('v1', drawn=False) + flights('v3', drawn=False))
def test_our_loop_of_ticks_does_the_same(reference: Callable[[str], Any], name: str) -> None:
    """Every metric of every sample after 1 s, within a slack and a share (E_vr: 0.1).

    Propagation layers that never come to rest have more of it.
    """
    run = reference(name)
    calm = run['overrides'].get('method', 'baseline') in ('baseline', 'advection')
    slack = 0.02 if calm else 0.05
    scenario, places = overridden(run['overrides']), run['initial_agent_positions']
    period = scenario.swarm.control_period
    assert run['columns'] == ['timestamp', *METRICS] and run['control_period'] == period
    chunk = flown(scenario, lambda k: (tuple(places[k - 1]), (0.0, 0.0, 0.0))).chunk
    samples = [sample for sample in run['metrics'] if sample[0] >= 1.0]
    assert len(samples) >= 0.9 * len(run['metrics']) > 0.0
    for time, *expected in samples:
        row = math.floor(time / period + 1e-6) - 1
        assert chunk.times[row] <= time + 1e-6 < chunk.times[row] + period + 1e-5
        for metric, ours, theirs in zip(METRICS, chunk.metrics[row, :5], expected, strict=True):
            allowed = (0.1 if metric == 'E_vr' else slack) + slack * abs(theirs)
            assert ours == pytest.approx(theirs, abs=allowed), (time, metric)


def test_an_unknown_constant_is_named() -> None:
    """A flight that asks for what nobody reads is not flown without it."""
    with pytest.raises(KeyError, match='WIND_SPEED'):
        overridden({'WIND_SPEED': 3.0})


LAST_ROW = 1.9900000000000015


@pytest.mark.parametrize('law', GOLDEN)
def test_the_golden_whole_system_comes_back(law: str) -> None:
    """Moving target and adversary on the original's draws, which begin with the places."""
    draw = random.Random(0)
    places = [seed_place(draw, law) for _ in range(3)]
    short = original(law, {
        'run': {'sim_duration': 2.0, 'num_agents': 3, **REFERENCE['run']},
        'propagation': {'propagation_method': 'kdv', 'propagation_k_prop': 1.0},
        'failure': {'failure_enable': False},
    })  # fmt: skip
    crew: dict[str, Any] = dict(make_actors(short))
    crew[TARGET] = Target(short.target, short.swarm, draw)
    crew[ADVERSARY] = Adversary(short.adversary, short.swarm, draw)
    loop = Watched(short, crew)
    loop.place(places)
    loop.fly()
    metrics, u = GOLDEN[law]
    (row,) = (row for row in loop.rows if row[0] == LAST_ROW)
    assert row[1:] == pytest.approx(metrics, rel=1e-9)
    assert [loop.u[LAST_ROW, uav(k)] for k in (1, 2, 3)] == pytest.approx(u, rel=1e-9)


def seed_place(draw: random.Random, law: str) -> list[float]:
    """Return where an agent starts (spec 0.6); the first version draws two radii."""
    angle = draw.uniform(0.0, 2.0 * np.pi)
    low, high = (0.8, 1.2) if law == 'soliton_v1' else (0.9, 1.1)
    one = draw.uniform(low, high)
    other = draw.uniform(low, high) if law == 'soliton_v1' else one
    return [20.0 * one * np.cos(angle), 20.0 * other * np.sin(angle), 0.0]
