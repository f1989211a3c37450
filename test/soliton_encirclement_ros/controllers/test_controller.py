"""The contract of a law, over the whole family."""

import math

import pytest

from soliton_encirclement_ros.controllers import CONTROLLERS
from soliton_encirclement_ros.core import AgentState, Pose, TargetState
from soliton_encirclement_ros.core.ring.ring_geometry import NOBODY
from support.ring_scene import ORIGIN, Seen, made

POSE = Pose((20.0, 0.0, 0.0), ORIGIN)
TARGET = TargetState(1, ORIGIN, (1.0, 2.0, 0.5), ((1, 1.0), (2, 1.0), (3, 1.0)))
FAMILY = pytest.mark.parametrize('name', list(CONTROLLERS))
AT_REST = pytest.mark.parametrize('name', [name for name in CONTROLLERS if name != 'splay'])
"""Laws under which an agent alone does not go round the target."""


def view(target: TargetState, others: dict[int, tuple] | None = None) -> Seen:
    """Return what agent 1 has at time 0."""
    heard = [AgentState(i, 1, position, ORIGIN) for i, position in (others or {}).items()]
    return Seen(0.0, POSE, tuple(heard), target)


@AT_REST
def test_alone_on_the_ring_it_follows_the_target(name: str) -> None:
    """On the ring with the target's velocity and no neighbour, that velocity is kept."""
    flyer = made(name)
    moving = view(TARGET)._replace(pose=POSE._replace(velocity=TARGET.velocity))
    assert flyer.step(moving) == pytest.approx(TARGET.velocity)


@FAMILY
def test_it_moves_into_the_wider_arc(name: str) -> None:
    """With a near predecessor and a far successor it turns counter-clockwise."""
    flyer = made(name)
    still = TARGET._replace(velocity=ORIGIN)
    near, far = (20.0 * math.cos(-0.3), 20.0 * math.sin(-0.3), 0.0), (-20.0, 0.0, 0.0)
    for _ in range(5):
        wanted = flyer.step(view(still, {2: near, 3: far}))
    assert wanted[1] > 0.1


@FAMILY
def test_telemetry_has_a_column_for_every_value(name: str) -> None:
    """Names and values go together, before and after a step."""
    flyer = made(name)
    assert len(flyer.telemetry()) == len(flyer.telemetry_names)
    flyer.step(view(TARGET, {2: (0.0, 20.0, 0.0)}))
    assert len(flyer.telemetry()) == len(flyer.telemetry_names)


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
    flyer = made(name)
    assert flyer.pair == (NOBODY, NOBODY)
    others = {2: (-20.0, 1.0, 0.0), 3: (19.0, -6.0, 0.0), 4: (19.0, 6.0, 0.0)}
    flyer.step(view(TARGET._replace(velocity=ORIGIN), others))
    assert flyer.pair == (3, 4)


@AT_REST
def test_a_turning_ring_is_turned_with(name: str) -> None:
    """The wanted rotation leads to a command along the circle, in its direction."""
    flyer = made(name)
    for omega in (0.3, -0.3):
        wished = TARGET._replace(velocity=ORIGIN, omega_ref=omega)
        for _ in range(80):
            wanted = flyer.step(view(wished))
        assert wanted[1] * omega > 0.0


@FAMILY
def test_it_goes_on_after_a_reset(name: str) -> None:
    """Back from a failure the next step is a step like any other."""
    flyer = made(name)
    flyer.restart()
    flyer.step(view(TARGET, {2: (0.0, 20.0, 0.0)}))
    flyer.restart()
    wanted = flyer.step(view(TARGET, {2: (0.0, 20.0, 0.0)}))
    assert all(math.isfinite(value) for value in (*wanted, *flyer.telemetry()))
    assert flyer.pair == (2, 2)
