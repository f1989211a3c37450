"""New gains in flight: every one arrives, and nothing that a law remembers is lost."""

import dataclasses
import math
from typing import Any

import pytest

from soliton_encirclement_ros.controllers import CONTROLLERS, Setup
from soliton_encirclement_ros.core import AgentState, Pose, TargetState
from soliton_encirclement_ros.core.parameters.control_parameters import (
    LAYER_NAMES, ControlParameters, PropagationParameters
)
from soliton_encirclement_ros.core.parameters.swarm_parameters import CommandLimits
from soliton_encirclement_ros.core.scenario.plugin_sections import record_of
from soliton_encirclement_ros.propagation import LAYERS
from support.ring_scene import Flyer, Seen, T
from velocity_mobility_ros.core.parameter_declaration import Declaration, declarations
from velocity_mobility_ros.core.velocity_model import Vector

TICKS = 60
FAMILY = [
    *((law, 'baseline') for law in CONTROLLERS if law != 'two_channel'),
    *(('two_channel', layer) for layer in LAYER_NAMES),
]
LIVE = [
    (section, name)
    for section, record in (
        ('control', ControlParameters), ('propagation', PropagationParameters),
        ('limits', CommandLimits),
    )
    for name, declaration in declarations(record).items()
    if declaration.runtime
]  # fmt: skip
"""Every parameter that a running agent takes."""


def setup_of(law: str, layer: str, mode: str = 'blend') -> Setup:
    """Return the setup of a law in which as much as possible matters."""
    control = record_of('control', law)(
        controller=law, tangential_composition_mode=mode, use_soft_limiter_u=True,
        altitude_layers=2,
    )  # fmt: skip
    return Setup(control, PropagationParameters(propagation_method=layer))


def other(declaration: Declaration, value: Any) -> Any:
    """Return another value that is allowed."""
    if declaration.choices:
        return next(choice for choice in declaration.choices if choice != value)
    if declaration.kind is bool:
        return not value
    if declaration.kind is int:
        return max(1, value // 2) if value > 1 else value + 2
    least, most = declaration.minimum or 0.0, declaration.maximum or math.inf
    value = value or min(1.0, most)
    others = 0.5 * value, 1.5 * value, 0.5 * (value + least)
    return next(one for one in others if least <= one <= most)


def changed(setup: Setup, section: str, name: str) -> Setup:
    """Return a setup with another value of one parameter."""
    record = getattr(setup, section)
    declaration = declarations(type(record))[name]
    value = other(declaration, getattr(record, name))
    return setup._replace(**{section: dataclasses.replace(record, **{name: value})})


def view(k: int) -> Seen:
    """Return what agent 1 has at tick k of a scene in which everything moves and words fail.

    Two of five words are lost, agent 3 and the target are silent for a while, and at the end the
    agent is beside the target.
    """
    heard, gone = [], 20 <= k % 40 < 35
    for agent_id in range(2, 9):
        if (3 * k + agent_id) % 5 > 1 and not (gone and agent_id == 3):
            theta = 0.7 * agent_id + 0.02 * k
            place = (19.0 * math.cos(theta), 20.0 * math.sin(theta), 1.0)
            prop = tuple((name, 0.3 * math.sin(k + agent_id)) for name in FIELDS)
            heard.append(AgentState(agent_id, k, place, (0.5, 1.0, 0.0), 0.4, -0.2, prop, T))
    lambdas = tuple((agent_id, 1.0 + (agent_id == 2)) for agent_id in range(1, 9))
    swing: Vector = (3.0 * math.sin(0.3 * k), 1.0, 0.2)
    target = TargetState(k, (0.1 * k, 0.0, 0.0), swing, lambdas, 0.6, T)
    x = 21.0 + 0.05 * k if k < 55 else 0.1 * k + 0.4
    pose = Pose((x, 0.2 * math.sin(k), 0.3), (0.1, 2.0, 0.1))
    return Seen(k * T, pose, tuple(heard), target, 1.75 if gone else 0.0, (1.0, 2.0, 0.0))


FIELDS = sorted({name for layer in LAYERS.values() for name in layer.no_message._fields})
"""What neighbours may say of a layer; everybody picks the fields it knows."""


def fly(flyer: Flyer, first: int, last: int) -> list[Any]:
    """Return everything that comes of some ticks."""
    return [(flyer.step(view(k)), flyer.said(), flyer.telemetry()) for k in range(first, last)]


@pytest.mark.parametrize(('law', 'layer'), FAMILY)
def test_other_gains_leave_the_memory_as_it_is(law: str, layer: str) -> None:
    """Between two ticks nothing moves; with the old gains again the flight is the old one."""
    setup = setup_of(law, layer)
    left, right = Flyer(law, setup), Flyer(law, setup)
    fly(left, 1, 30), fly(right, 1, 30)
    for section, name in LIVE:
        right.use(changed(setup, section, name))
        assert right.telemetry() == left.telemetry()
        assert right.said() == left.said()
        assert right.pair == left.pair
    right.use(setup)
    assert fly(left, 30, TICKS) == fly(right, 30, TICKS)


@pytest.mark.nightly
@pytest.mark.parametrize(('law', 'layer'), FAMILY)
def test_every_gain_arrives(law: str, layer: str) -> None:
    """A law that is given other gains before its first tick is one that was made with them."""
    setup, matter = setup_of(law, layer), 0
    plain = fly(Flyer(law, setup), 1, TICKS)
    for section, name in LIVE:
        wanted = changed(setup, section, name)
        retuned = Flyer(law, setup)
        retuned.use(wanted)
        expected = fly(Flyer(law, wanted), 1, TICKS)
        assert fly(retuned, 1, TICKS) == expected, name
        matter += expected != plain
    assert matter >= 6
