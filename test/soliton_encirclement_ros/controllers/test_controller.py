"""The contract of a controller, over the whole family."""

import math

import pytest
from soliton_encirclement_ros.controllers import CONTROLLERS, Controller, Knowledge, Setup
from soliton_encirclement_ros.core import AgentState, Pose, TargetState
from soliton_encirclement_ros.core.parameters.control_parameters import ControlParameters
from soliton_encirclement_ros.core.ring.ring_neighbours import NOBODY
from soliton_encirclement_ros.core.states.agent_cache import AgentCache

ORIGIN = (0.0, 0.0, 0.0)
POSE = Pose((20.0, 0.0, 0.0), ORIGIN)
TARGET = TargetState(1, ORIGIN, (1.0, 2.0, 0.5), ((1, 1.0), (2, 1.0), (3, 1.0)))
FAMILY = pytest.mark.parametrize('name', list(CONTROLLERS))
AT_REST = pytest.mark.parametrize('name', [name for name in CONTROLLERS if name != 'splay'])
"""Laws under which an agent alone does not go round the target."""


def made(name: str) -> Controller:
    """Return a fresh controller of the family."""
    return CONTROLLERS[name](Setup(ControlParameters(controller=name)))


def view(target: TargetState | None, others: dict[int, tuple] | None = None) -> Knowledge:
    """Return what agent 1 knows at time 0."""
    agents = AgentCache(0.25)
    for agent_id, position in (others or {}).items():
        agents.accept(AgentState(agent_id, 1, position, ORIGIN), 0.0)
    return Knowledge(0.0, 1, POSE, agents, target, target is not None, 0.0, ORIGIN)


@AT_REST
def test_alone_on_the_ring_it_follows_the_target(name: str) -> None:
    """On the ring with the target's velocity and no neighbour, that velocity is kept."""
    controller = made(name)
    moving = view(TARGET)._replace(pose=POSE._replace(velocity=TARGET.velocity))
    assert controller.step(moving) == pytest.approx(TARGET.velocity)


@FAMILY
def test_it_moves_into_the_wider_arc(name: str) -> None:
    """With a near predecessor and a far successor it turns counter-clockwise."""
    controller = made(name)
    still = TARGET._replace(velocity=ORIGIN)
    near, far = (20.0 * math.cos(-0.3), 20.0 * math.sin(-0.3), 0.0), (-20.0, 0.0, 0.0)
    for _ in range(5):
        wanted = controller.step(view(still, {2: near, 3: far}))
    assert wanted[1] > 0.1


@FAMILY
def test_telemetry_has_a_column_for_every_value(name: str) -> None:
    """Names and values go together, before and after a step."""
    controller = made(name)
    assert len(controller.telemetry()) == len(controller.telemetry_names)
    controller.step(view(TARGET, {2: (0.0, 20.0, 0.0)}))
    assert len(controller.telemetry()) == len(controller.telemetry_names)


@AT_REST
@pytest.mark.parametrize(('r', 'outwards'), [(25.0, -1.0), (15.0, 1.0)])
def test_it_goes_onto_the_ring(name: str, r: float, outwards: float) -> None:
    """Too far out it comes in, too far in it goes out, and straight."""
    still = view(TARGET._replace(velocity=ORIGIN))
    wanted = made(name).step(still._replace(pose=Pose((r, 0.0, 0.0), ORIGIN)))
    assert wanted[0] * outwards > 0.5 and wanted[1:] == (0.0, 0.0)


@FAMILY
def test_it_names_its_neighbours(name: str) -> None:
    """Nobody at first; then the next one clockwise and the next one counter-clockwise."""
    controller = made(name)
    assert controller.neighbours == (NOBODY, NOBODY)
    others = {2: (-20.0, 1.0, 0.0), 3: (19.0, -6.0, 0.0), 4: (19.0, 6.0, 0.0)}
    controller.step(view(TARGET._replace(velocity=ORIGIN), others))
    assert controller.neighbours == (3, 4)


@AT_REST
def test_a_turning_ring_is_turned_with(name: str) -> None:
    """The wanted rotation leads to a command along the circle, in its direction."""
    controller = made(name)
    for omega in (0.3, -0.3):
        wished = TARGET._replace(velocity=ORIGIN, omega_ref=omega)
        for _ in range(80):
            wanted = controller.step(view(wished))
        assert wanted[1] * omega > 0.0


@FAMILY
def test_it_goes_on_after_a_reset(name: str) -> None:
    """Back from a failure the next step is a step like any other."""
    controller = made(name)
    controller.reset()
    controller.step(view(TARGET, {2: (0.0, 20.0, 0.0)}))
    controller.reset()
    wanted = controller.step(view(TARGET, {2: (0.0, 20.0, 0.0)}))
    assert all(math.isfinite(value) for value in (*wanted, *controller.telemetry()))
    assert controller.neighbours == (2, 2)
