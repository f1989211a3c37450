"""The published laws: what all share with ours, what each says, where their equations break."""

import math

import numpy as np
import pytest
from hypothesis import given, strategies as st

from soliton_encirclement_ros.controllers import CONTROLLERS, Setup
from soliton_encirclement_ros.controllers.splay import gains_of, spreading, steering
from soliton_encirclement_ros.controllers.turn_rate_laws import KimSugieParameters
from soliton_encirclement_ros.core import Pose, TargetState
from soliton_encirclement_ros.core.laws.law import FIELDS, RingView
from soliton_encirclement_ros.core.laws.law_registry import LAWS
from soliton_encirclement_ros.core.parameters.control_parameters import (
    CONTROLLER_NAMES, PEER_NAMES, ControlParameters
)
from soliton_encirclement_ros.core.ring.ring_geometry import polar
from soliton_encirclement_ros.core.scenario.overrides import no_effect_warnings
from soliton_encirclement_ros.core.scenario.plugin_sections import record_of
from soliton_encirclement_ros.core.scenario.scenario import Scenario
from support.engine_flights import Flight
from support.laws import flight
from support.ready import NO_HURRY, laws
from support.ring_scene import (
    ORIGIN, TAU, Flyer, R, command_on_even_ring, even, known, made, turning
)
from velocity_mobility_ros.core.coordinate_frames import TURN
from velocity_mobility_ros.core.parameter_declaration import declarations
from velocity_mobility_ros.core.velocity_model import Vector

__all__ = ['laws']

pytestmark = NO_HURRY

PEERS = pytest.mark.parametrize('name', PEER_NAMES)
FAR = st.one_of(st.floats(-1e9, 1e9), st.sampled_from([0.0, -0.0, 1e9, -1e9, 1e-320, 20.0]))


def own_parameters(name: str) -> list[str]:
    """Return the parameters that a law has and others have not."""
    every = declarations(ControlParameters)
    return [key for key in declarations(record_of('control', name)) if key not in every]


@pytest.mark.parametrize('name', ['soliton', *PEER_NAMES])
@given(
    st.tuples(FAR, FAR, FAR, FAR, FAR, FAR),
    st.lists(st.tuples(FAR, FAR, FAR, FAR), max_size=5),
    st.tuples(FAR, FAR, FAR, FAR, FAR),
    st.floats(1e-300, 1e9),
)
def test_invariant_5_commands_are_finite_for_any_finite_scene(
    name: str, own: tuple, others: list[tuple], target: tuple, weight: float
) -> None:
    """Invariant 5: everything that is sound, on one spot or a million kilometres off."""
    flyer, pose = made(name), Pose(own[:3], own[3:])
    there = {i: Pose((*o[:2], 0.0), (*o[2:], 0.0)) for i, o in enumerate(others, start=2)}
    said = TargetState(
        1, (*target[:2], 0.0), (*target[2:4], 0.0), ((1, weight), (2, 1.0)), target[4]
    )
    for k in range(1, 4):
        command = flyer.step(known(k, pose, there, said))
        assert all(map(math.isfinite, (*command, *flyer.telemetry())))
        said = said._replace(velocity=(-target[2], target[3], 0.0))


@PEERS
@pytest.mark.parametrize('others', [{}, {2: ORIGIN}, {2: (R, 0.0, 0.0), 3: (R, 0.0, 0.0)}])
@pytest.mark.parametrize('place', [ORIGIN, (R, 0.0, 0.0)], ids=['centre', 'ring'])
def test_alone_at_the_centre_or_all_on_one_spot(name: str, others: dict, place: tuple) -> None:
    """No angle, no gap, no neighbour: a command all the same, and outwards from the centre."""
    flyer = made(name)
    there = {agent_id: Pose(position, ORIGIN) for agent_id, position in others.items()}
    for k in range(1, 4):
        command = flyer.step(known(k, Pose(place, ORIGIN), there))
        assert all(map(math.isfinite, (*command, *flyer.telemetry())))
    if place == ORIGIN:
        assert math.hypot(*command[:2]) > 1.0


@PEERS
def test_parameters_are_those_of_the_law_and_of_no_other(name: str) -> None:
    """They are checked, changed by a scenario, and gone where another law flies."""
    record, own = record_of('control', name), own_parameters(name)
    assert own and declarations(record)['controller'].choices[0] == CONTROLLER_NAMES[0]
    key = own[0]
    chosen = {'control': {'controller': name, key: 0.123}}
    flown = Scenario().with_changes(chosen, 'test')
    assert getattr(flown.control, key) == 0.123
    assert not hasattr(flown.with_changes({'control': {'controller': 'soliton'}}, 'test').control,
                       key)  # fmt: skip


@PEERS
def test_its_name_and_its_place_are_one_law(name: str) -> None:
    """What a node loads by name is what simulations fly."""
    assert LAWS.load(name) is CONTROLLERS[name].law(Setup())
    assert LAWS.is_built_in(name) and not LAWS.is_foreign(name)


@PEERS
def test_a_design_may_vary_what_other_laws_do_not_have(name: str) -> None:
    """A gain of its own is not varied in vain beside a law that has none of that name."""
    key = own_parameters(name)[0]
    points = [
        Scenario().with_changes({'control': change}, 'test')
        for change in ({'controller': name, key: 0.123}, {'controller': 'soliton'})
    ]
    assert no_effect_warnings([f'control.{key}'], points) == []


@PEERS
def test_gains_of_its_own_arrive_in_flight(name: str) -> None:
    """A law that is given other gains before its first tick is one that was made with them."""
    record, own = record_of('control', name), own_parameters(name)
    thetas = even(5)
    others = {i + 1: turning(thetas[i] + 0.1 * i, 0.1) for i in range(1, 5)}
    pose = turning(thetas[0] + 0.4, 0.1)._replace(velocity=(1.0, 0.0, 0.0))

    def fly(flyer: Flyer) -> list:
        return [flyer.step(known(k, pose, others)) for k in range(1, 6)]

    plain = fly(made(name))
    for key in own:
        value = 1 if key == 'modes' else 0.5 * getattr(record(), key)
        retuned = made(name)
        retuned.use(Setup(record(controller=name, **{key: value})))
        assert fly(retuned) == fly(made(name, **{key: value})) != plain


GAINS = gains_of(Setup(record_of('control', 'splay')(controller='splay')))
RATES = {
    'franchi': lambda count: 0.0,
    'wang_xie_cao': lambda count: 0.0,
    'kim_sugie': lambda count: KimSugieParameters().k_turn * TURN / count,
    'splay': lambda count: GAINS.omega_0,
}
"""The published turn rates [rad/s] of an even ring, by the number of agents."""


@pytest.mark.parametrize('count', [5, 10])
@pytest.mark.parametrize('velocity', [ORIGIN, (3.0, -2.0, 0.5)])
@PEERS
def test_an_even_ring_that_turns_as_published_goes_on(
    name: str, velocity: Vector, count: int
) -> None:
    """Nothing is asked for but the target's velocity and the acceleration to the centre."""
    rate = RATES[name](count)
    pose, centre, command = command_on_even_ring(name, count, rate, velocity)
    wanted = [
        v - TAU * rate * rate * (p - c)
        for v, p, c in zip(pose.velocity, pose.position, centre, strict=True)
    ]
    assert command == pytest.approx(wanted, abs=2e-2 if rate else 1e-9)


def turn_rate(flown: Flight, seconds: float) -> float:
    """Return the mean turn rate [rad/s] of the agents over the last seconds of a flight."""
    x, y = flown.positions[:, :, 0], flown.positions[:, :, 1]
    theta = np.unwrap(np.arctan2(y, x), axis=0)
    return float(np.mean(theta[-1] - theta[-1 - round(seconds / 0.05)]) / seconds)


@pytest.mark.parametrize(('name', 'count', 'seconds'), [
    ('kim_sugie', 3, 84.0), ('kim_sugie', 10, 140.0), ('splay', 1, 300.0), ('splay', 6, 300.0),
])  # fmt: skip
def test_a_swarm_ends_even_on_the_circle_and_turns_as_published(
    name: str, count: int, seconds: float
) -> None:
    """From random angles, round a target that stands still: counter-clockwise."""
    flown = flight(name, {'run': {'num_agents': count}}, seconds)
    assert flown.metrics.E_gap < 0.02 and flown.metrics.E_r < 0.01
    assert turn_rate(flown, 5.0) == pytest.approx(RATES[name](count), rel=0.02)


def told(flyer: Flyer) -> tuple[float, float]:
    """Return the way along the ring and the turn rate that a law tells."""
    return flyer.values['shift'], flyer.said().u


def test_franchi_turns_to_the_middle() -> None:
    """Neighbours at -0.4 and 1.0 rad: 0.3 rad to go, at k_phi times that."""
    flyer = made('franchi', k_turn=0.5)
    flyer.step(known(1, turning(0.0), {2: turning(-0.4), 3: turning(1.0)}))
    assert told(flyer) == pytest.approx((0.3, 0.15))


def test_the_longest_wave_dies_at_k_phi_times_one_minus_cosine() -> None:
    """Franchi, the published linear dynamics: the ring's Laplacian, its first wave of six."""
    count, k, small = 6, 1.0, 0.02

    def start(agent: int) -> tuple[Vector, Vector]:
        place = 2.0 * math.pi * agent / count
        theta = place + small * math.sin(place)
        return (R * math.cos(theta), R * math.sin(theta), 0.0), ORIGIN

    changes = {'run': {'num_agents': count}, 'control': {'k_turn': k}}
    flown = flight('franchi', changes, 10.0, start)
    gap = flown.seen.series['E_gap']
    rate = math.log(gap[80] / gap[160]) / 4.0
    assert rate == pytest.approx(k * (1.0 - math.cos(2.0 * math.pi / count)), rel=0.1)


def test_the_next_agent_is_pursued_whatever_its_number() -> None:
    """Kim and Sugie: agent 7 stands ahead, agent 2 beyond it; the gap to agent 7 counts."""
    flyer = made('kim_sugie', k_turn=0.2)
    flyer.step(known(1, turning(0.0), {7: turning(0.5), 2: turning(3.0)}))
    assert told(flyer) == pytest.approx((0.5, 0.1))
    assert flyer.pair == (2, 7)
    fleeing = {7: turning(0.5, 0.2), 2: turning(3.0)}
    still, faster = (
        made('kim_sugie', k_turn=0.2).step(known(1, turning(0.0), others))[1]
        for others in ({7: turning(0.5), 2: turning(3.0)}, fleeing)
    )
    assert faster > still + 0.5, 'the rate of the gap counts'


def ring_of(headings: list[float]) -> RingView:
    """Return a ring whose agents told these headings [rad]; oneself is the first."""
    count = len(headings)
    words = [[0.0] * FIELDS + [heading] for heading in headings]
    zeros = [0.0] * count
    rows = list(range(count))
    return RingView(count, 0, [k + 1 for k in rows], zeros, zeros, zeros, rows, words)


def test_the_sum_over_modes_and_agents_is_that_of_the_paper() -> None:
    """Splay, written out with sines; half of the modes are enough for any number of agents."""
    headings = [0.2, 0.5, 2.0, 4.0, 4.1, 6.0]
    written = sum(
        GAINS.k_splay / (m * 6) * math.sin(m * (headings[0] - other))
        for m in (1, 2, 3)
        for other in headings
    )
    assert spreading(GAINS, ring_of(headings), headings[0]) == pytest.approx(written, abs=1e-12)
    for thetas in (even(3), even(10)):
        assert spreading(GAINS, ring_of(thetas), thetas[0]) == pytest.approx(0.0, abs=1e-12)


@pytest.mark.parametrize(('heading', 'sign'), [(0.0, 1.0), (math.pi, -1.0)])
def test_outward_flight_is_turned_faster_and_inward_flight_slower(
    heading: float, sign: float
) -> None:
    """Splay: that is how a particle that only steers finds its circle."""
    rate = GAINS.omega_0
    for theta in (0.0, 1.0):
        at = polar(R * math.cos(theta), R * math.sin(theta), 0.0, 0.0, 1.0)
        assert (steering(GAINS, at, theta + heading) - rate) * sign > 0.1 * rate * GAINS.kappa
        assert steering(GAINS, at, theta + 0.5 * math.pi) == pytest.approx(rate)


def test_the_turn_is_that_of_the_paper() -> None:
    """Wang, Xie and Cao: k (d_p g_s - d_s g_p) / (d_s + d_p); d_p = 1, d_s = 3, gaps 1.0, 1.4."""
    said = TargetState(1, ORIGIN, ORIGIN, ((1, 3.0), (2, 1.0), (3, 2.0)))
    flyer = made('wang_xie_cao', k_turn=0.5)
    flyer.step(known(1, turning(0.0), {2: turning(-1.0), 3: turning(1.4)}, said))
    assert flyer.said().u == pytest.approx(0.5 * (1.4 - 3.0) / 4.0)


def test_with_equal_weights_it_is_the_law_of_franchi() -> None:
    """The middle between the neighbours is what equal weights ask for, rates included."""
    others = {2: turning(-0.4, 0.1), 3: turning(1.0, 0.3)}
    one, other = (
        made(name, k_turn=1.0, k_radius=1.0).step(known(1, turning(0.0), others))
        for name in ('wang_xie_cao', 'franchi')
    )
    assert one == pytest.approx(other, abs=1e-9)


def test_an_open_arc_is_as_wide_as_asked() -> None:
    """Ten agents share 180 degrees evenly: the weights of the target are all that tells them."""
    flown = flight('wang_xie_cao', {'target': {'protection_angle_deg': 180.0}}, 240.0)
    x, y, *_ = flown.chunk.target[-1]
    thetas = sorted(math.atan2(py - y, px - x) for px, py, _ in flown.positions[-1])
    arcs = sorted(b - a for a, b in zip(thetas, [*thetas[1:], thetas[0] + TURN], strict=True))
    assert arcs[-1] == pytest.approx(math.pi, abs=0.03)
    assert arcs[:-1] == pytest.approx([math.pi / 9.0] * 9, abs=0.03)


def test_the_order_on_the_circle_is_kept() -> None:
    """Wang, Xie and Cao: from a crowd on a tenth of the circle nobody overtakes anybody."""

    def start(agent: int) -> tuple[Vector, Vector]:
        theta = 0.1 * agent
        return (R * math.cos(theta), R * math.sin(theta), 0.0), ORIGIN

    flown = flight('wang_xie_cao', {'run': {'num_agents': 6}}, 60.0, start)
    theta = np.unwrap(np.arctan2(flown.positions[:, :, 1], flown.positions[:, :, 0]), axis=0)
    gaps = np.diff(theta, axis=1, append=theta[:, :1] + TURN)
    assert gaps.min() > 0.09
    assert flown.metrics.E_gap < 1e-3
