"""Laws and filters of nodes as machine code: those of plain Python to the bit."""

import math
import random
from pathlib import Path

import pytest
from soliton_encirclement_ros.actors.agent_code import PLAIN
from soliton_encirclement_ros.actors.command_filter import CommandFilter, OtherBodies
from soliton_encirclement_ros.actors.standing_filter import StandingFilter
from soliton_encirclement_ros.controllers import Setup, View, kind_of
from soliton_encirclement_ros.core.laws.law import RingView, TargetView
from soliton_encirclement_ros.core.laws.ring_messages import FIELDS
from soliton_encirclement_ros.core.parameters.safety_parameters import SafetyParameters
from soliton_encirclement_ros.core.parameters.swarm_parameters import (
    CommandLimits,
    SwarmParameters,
)
from soliton_encirclement_ros.core.states.known_bodies import NO_ROW
from soliton_encirclement_ros.safety.codes import (
    ADVERSARY,
    ADVERSARY_ID,
    GHOST,
    MUTUAL,
    TARGET,
    TARGET_ID,
)
from soliton_encirclement_ros.safety.records import START, OwnState
from soliton_encirclement_ros.safety.settings import fence_of, filter_settings
from soliton_encirclement_ros.sim.compilation import compiled_agent, numba_import
from soliton_encirclement_ros.sim.compilation.compiled import compile_events
from soliton_encirclement_ros.sim.compilation.compiled_agent import (
    CompiledFilter,
    agent_code,
    agent_programs,
)
from soliton_encirclement_ros.swarm.memory import RAISED
from support.ready import NO_HURRY, agents_code, setup_of_law

__all__ = ['agents_code']

pytestmark = NO_HURRY

LAWS = ('predictive', 'soliton')
PURSUIT = Path(__file__).parents[4] / 'docs' / 'pursuit.py'
OWN = 3


def views(draw: random.Random, count: int, ticks: int) -> list[View]:
    """Return what agent 3 sees of a ring of so many at some ticks; sometimes of nobody else."""
    found = []
    for tick in range(1, ticks + 1):
        heard = 0 if tick % 5 == 0 else count
        angles = sorted(draw.uniform(-3.1, 3.1) for _ in range(max(1, heard)))
        states = tuple(
            (10.0 * math.cos(a), 10.0 * math.sin(a), *(draw.gauss(0, 1) for _ in range(FIELDS)))
            for a in angles[:heard]
        )
        place = draw.randrange(len(angles))
        ids = [k + 10 for k in range(len(angles))]
        ids[place] = OWN
        rows = tuple(range(heard)) or (NO_ROW,)
        ring = RingView(
            len(angles), place, tuple(ids), tuple(angles), tuple(0.1 for _ in angles),
            tuple(draw.choice([math.nan, 2.0]) for _ in angles), rows, states,
        )  # fmt: skip
        a = angles[place]
        target = TargetView(tick, (0.1, 0.2, 5.0), (0.5, 0.0, 0.0), 0.1, 0.03, tick % 7 > 0)
        found.append(
            View(
                0.02 * tick, OWN, (9.0 * math.cos(a), 9.0 * math.sin(a), 4.0), (0.3, 0.1, 0.0),
                (0.2, 0.1, 0.0), 0.0, target, ring, 0.01,
            )
        )  # fmt: skip
    return found


@pytest.mark.parametrize('name', LAWS)
def test_a_law_decides_as_in_plain_python(name):
    """Message, decision and what is recorded, also after a failure and after new gains."""
    setup = setup_of_law(name)
    plain = kind_of(name).law(setup)
    fast = agent_code(setup, False).law(plain, setup)
    ours, others = plain.rest, fast.rest
    for tick, view in enumerate(views(random.Random(5), 12, 60)):
        if tick % 20 == 19:
            ours, others = plain.reset(ours), fast.reset(others)
        wide = tick > 30
        swarm = SwarmParameters(encirclement_radius=14.0) if wide else setup.swarm
        gains = [law.gains(setup._replace(swarm=swarm)) for law in (plain, fast)]
        ours, message, decision = plain.step(gains[0], ours, view)
        others, told, decided = fast.step(gains[1], others, view)
        assert (told, decided) == (message, decision)
        assert fast.values(others) == [*plain.values(ours)]
    assert decision.velocity != (0.0, 0.0, 0.0)


def test_what_machine_code_cannot_tell_the_law_tells(monkeypatch):
    """Where the machine code reports that something is wrong, plain Python raises what it was."""
    setup = setup_of_law('soliton')
    plain = kind_of('soliton').law(setup)
    monkeypatch.setattr(compiled_agent, 'entry', lambda law, setup: lambda *_: RAISED)
    fast = compiled_agent.compiled_law(plain, setup)
    view = views(random.Random(6), 5, 1)[0]
    ours, message, decision = plain.step(plain.gains(setup), plain.rest, view)
    others, told, decided = fast.step(fast.gains(setup), fast.rest, view)
    assert (told, decided) == (message, decision)
    assert fast.values(others) == [*plain.values(ours)]


def test_a_ring_is_taken_anew_where_others_have_moved_or_said_something():
    """Agents that see the same share its arrays; the laws above use no words of others."""
    first, second = (view.ring for view in views(random.Random(5), 5, 2))
    arrays = compiled_agent.RingArrays()
    arrays.of(first)
    for ring in (first._replace(states=second.states), second):
        found = arrays.of(ring)
        assert found.states.tolist() == [list(said) for said in ring.states]
        assert found.thetas.tolist() == list(ring.thetas)


def scene(draw: random.Random) -> tuple:
    """Return the arguments of a filter: own state, command, and other bodies in a heap."""
    size = draw.choice([4.0, 10.0, 40.0])
    common = [
        [draw.gauss(0, size), draw.gauss(0, size), draw.gauss(5, 1), draw.gauss(0, 2),
         draw.gauss(0, 2), 0.0, draw.uniform(0, 0.3), draw.choice([MUTUAL, MUTUAL, GHOST]),
         float(k)]
        for k in range(1, draw.randrange(2, 40))
    ]  # fmt: skip
    place = draw.choice([NO_ROW, draw.randrange(len(common))])
    more = [
        [0.0, 0.0, 5.0, 1.0, 0.0, 0.0, 0.1, TARGET, float(TARGET_ID)],
        [size, 0.0, 5.0, -3.0, 0.0, 0.0, 0.0, ADVERSARY, float(ADVERSARY_ID)],
    ][: draw.randrange(3)]
    x = math.nan if draw.random() < 0.02 else draw.gauss(0, size)
    own = OwnState((x, draw.gauss(0, size), 5.0), (draw.gauss(0, 2), 0.0, 0.0))
    wanted = (draw.gauss(0, 4), draw.gauss(0, 4), draw.gauss(0, 1))
    return draw.choice([0.0, 0.02]), own, wanted, (1.0, 0.0, 0.0), OtherBodies(common, place, more)


@pytest.mark.parametrize(
    'fence', ['', '-20 -20, 20 -20, 20 20, -20 20'], ids=['everywhere', 'in a fence']
)
def test_filters_command_as_in_plain_python(fence):
    """Also that of a vehicle that stands."""
    safety = SafetyParameters(fence=fence, target_distance=3.0, adversary_distance=4.0)
    settings, rings = filter_settings(safety, CommandLimits(), SwarmParameters()), fence_of(safety)
    kinds = (CommandFilter, agent_code(setup_of_law('soliton'), True).filter)
    plain, fast = (kind(settings, rings) for kind in kinds)
    assert type(fast) is CompiledFilter
    still, fast_still = (StandingFilter(kind, settings, rings) for kind in kinds)
    draw, memory, reasons, standing = random.Random(7), START, set(), set()
    for _ in range(400):
        given = pose_age, own, _, previous, others = scene(draw)
        found = plain.filtered(*given, memory)
        assert fast.filtered(*given, memory) == found
        memory = found.memory
        reasons.add(found.reason)
        found = still.filtered(pose_age, own, previous, others)
        assert fast_still.filtered(pose_age, own, previous, others) == found
        standing.add(found.reason)
    assert len(reasons) >= 4 and len(standing) >= 4


def test_nothing_is_compiled_while_agents_fly():
    setup = setup_of_law('predictive')
    code, compiled = agent_code(setup, True), []
    law = code.law(kind_of('predictive').law(setup), setup)
    filter_ = code.filter(filter_settings(SafetyParameters(), CommandLimits(), setup.swarm), ())
    with compile_events(compiled.append, compiled.append):
        row = law.rest
        for view in views(random.Random(8), 20, 10):
            row, _, _ = law.step(law.gains(setup), row, view)
            filter_.filtered(*scene(random.Random(9)), START)
    assert compiled == []


def test_a_law_of_a_user_stays_plain_python():
    """It can be debugged, and says itself what is wrong with it; its filter is machine code."""
    setup = setup_of_law(str(PURSUIT))
    assert len(agent_programs(setup, True)) == 1
    code = agent_code(setup, True)
    law = kind_of(setup.control.controller).law(setup)
    assert code.law(law, setup) is law
    assert code.filter is CompiledFilter


def test_without_a_compiler_agents_fly_by_plain_python(monkeypatch):
    monkeypatch.setattr('numba.config.DISABLE_JIT', 1)
    numba_import.has_numba.cache_clear()
    try:
        assert agent_code(Setup(), True) is PLAIN
    finally:
        numba_import.has_numba.cache_clear()
