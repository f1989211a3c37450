"""Gains at the ends of their bounds: what is said is finite, what nobody would believe is kept."""

import math

import pytest

from soliton_encirclement_ros.core.parameters.control_parameters import (
    CONTROLLER_NAMES, LAYER_NAMES, PropagationParameters
)
from soliton_encirclement_ros.core.scenario.plugin_sections import record_of
from support.ros.cockpit import Cockpit
from support.ros.told import Told
from velocity_mobility_ros.core.coordinate_frames import is_plausible
from velocity_mobility_ros.core.parameter_declaration import (
    BY_UNIT, LARGEST, SMALLEST, Declaration, declarations
)

pytestmark = [pytest.mark.ros, pytest.mark.usefixtures('simulated')]

NEAR = ((19.0, 6.0, 0.0), (19.0, -3.0, 0.0))


def at_the_end(record: type, largest: bool) -> dict[str, float]:
    """Return every number of a record at its upper or lower end."""
    numbers = (one for one in declarations(record).values() if one.kind is float)
    return {number.name: ends(number)[largest] for number in numbers}


def ends(one: Declaration) -> tuple[float, float]:
    """Return the smallest and the largest value of a number that are not refused."""
    far = BY_UNIT.get(one.unit, LARGEST)
    low = SMALLEST if one.above == 0.0 else -far if one.minimum is None else one.minimum
    return low, far if one.maximum is None else one.maximum


def said(cockpit: Cockpit) -> list[float]:
    """Return every number that an agent put on the wire."""
    numbers = [value for one in cockpit.own_states() for value in (*one.position, *one.velocity)]
    assert all(map(is_plausible, numbers))
    numbers += [value for one in cockpit.telemetry for value in (*one.position, *one.velocity)]
    for one in cockpit.commands:
        numbers += [one.linear.x, one.linear.y, one.linear.z]
    return numbers


WILD = [
    *[
        ('two_channel', {'propagation_method': layer, **at_the_end(PropagationParameters, end)})
        for layer in LAYER_NAMES
        for end in (True, False)
    ],
    *[
        (law, at_the_end(record_of('control', law), end))
        for law in CONTROLLER_NAMES
        for end in (True, False)
    ],
    ('two_channel', {'propagation_method': 'excitable', 'excitable_a': 1e6}),
    ('two_channel', {'propagation_method': 'excitable', 'excitable_b': 1e-12}),
    ('soliton', {'r_min': 1e12, 'k_v': 1e12}),
    ('soliton_v1', {'alpha_u': 1e12, 'k_e_tau': 1e12}),
]


@pytest.mark.parametrize(('law', 'gains'), WILD)
def test_what_an_agent_says_is_finite_whatever_its_gains(ros, law, gains):
    cockpit = Cockpit(ros, controller=law, **gains)
    cockpit.until(lambda: len(cockpit.telemetry) > 12, 'some ticks', neighbours=NEAR,
                  place=(20.0, 0.0, 0.0))  # fmt: skip
    assert all(map(math.isfinite, said(cockpit)))


def test_a_state_that_nobody_would_believe_is_not_published_and_says_why(ros):
    told = Told(ros)
    cockpit = Cockpit(ros, controller='two_channel', k_e_tau=1e12)
    line = '/swarm/agent_states: refused: own state is not published: uav_1/u = '
    cockpit.until(lambda: told.logged('uav_1.agent', line), 'the reason', neighbours=NEAR,
                  place=(20.0, 0.0, 0.0))  # fmt: skip
    commands = len(cockpit.commands)
    cockpit.until(lambda: len(cockpit.commands) > commands + 5, 'further commands')


def test_telemetry_that_is_not_finite_is_named(ros):
    """A 0 in its place would pass for a value of the law."""
    told = Told(ros)
    cockpit = Cockpit(ros, controller='soliton')
    cockpit.node.actor.telemetry = lambda: (
        [math.nan] * len(cockpit.node.actor.telemetry_names)
    )
    line = 'of the law not finite, published as 0: check its gains'
    cockpit.until(lambda: told.logged('uav_1.agent', line), 'the reason', neighbours=NEAR,
                  place=(20.0, 0.0, 0.0))  # fmt: skip
    assert all(map(math.isfinite, said(cockpit)))
