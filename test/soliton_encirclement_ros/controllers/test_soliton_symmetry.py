"""Our law and the seed's have no favourite direction, side, place or id."""

import math
from collections.abc import Callable
from typing import NamedTuple

import pytest
from hypothesis import assume, given, strategies as st

from soliton_encirclement_ros.core import AgentState, Pose, TargetState
from support.ring_scene import Seen, T, made
from velocity_mobility_ros.core.velocity_model import Vector

SPEED = st.floats(-6.0, 6.0)
SYMMETRIC = pytest.mark.parametrize('law', ['soliton', 'soliton_v1'])
"""The seed's law is flown without transport and dispersion, which prefer a side."""

CLOSE = 1e-4
"""A rank that finds the speed limit used up sees the root of a rounding error."""


class Body(NamedTuple):
    """Place [m] and velocity [m/s] in the plane; it flies straight on, and says u and u_ss."""

    x: float
    y: float
    vx: float
    vy: float
    u: float = 0.0
    u_ss: float = 0.0

    def at(self, time: float) -> Pose:
        """Return the pose after a time [s]."""
        place = self.x + self.vx * time, self.y + self.vy * time, 0.0
        return Pose(place, (self.vx, self.vy, 0.0))


class Scene(NamedTuple):
    """Everybody by id, who acts, the target, the weights and the wanted rotation."""

    bodies: dict[int, Body]
    own: int
    target: Body
    weights: dict[int, float]
    omega: float


@st.composite
def scenes(draw: st.DrawFn) -> Scene:
    """Draw two to seven agents at clearly different angles, no gap a half turn by accident."""
    count = draw(st.integers(2, 7))
    place = draw(st.tuples(st.floats(-50.0, 50.0), st.floats(-50.0, 50.0)))
    bodies, ids = {}, draw(st.permutations(range(1, count + 1)))
    for i, agent_id in enumerate(ids):
        share = draw(st.floats(0.1, 0.9))
        theta = 2.0 * math.pi * (i + 0.9 * share + 0.0137 * (i + 1.0)) / count
        r = draw(st.floats(3.0, 60.0))
        x, y = place[0] + r * math.cos(theta), place[1] + r * math.sin(theta)
        told = draw(st.floats(-2.0, 2.0)), draw(st.floats(-1.0, 1.0))
        bodies[agent_id] = Body(x, y, draw(SPEED), draw(SPEED), *told)
    weights = {i: draw(st.floats(0.1, 10.0)) for i in ids}
    target = Body(*place, draw(SPEED), draw(SPEED))
    return Scene(bodies, ids[0], target, weights, draw(st.floats(-0.5, 0.5)))


def commands(law: str, scene: Scene, ticks: int = 4, **control: float) -> list[Vector]:
    """Return what a fresh law commands at some ticks; words are heard one tick late."""
    even = {'c_coupling': 0.0, 'kappa_u_disp': 0.0, **control}
    flyer, found = made(law, scene.own, **even), []
    for k in range(1, ticks + 1):
        now = k * T
        heard = tuple(
            AgentState(agent_id, k, *body.at(now - T), body.u, body.u_ss, age=T)
            for agent_id, body in scene.bodies.items() if agent_id != scene.own
        )
        weights = tuple(scene.weights.items())
        target = TargetState(k, *scene.target.at(now - T), weights, scene.omega, T)
        pose = scene.bodies[scene.own].at(now)
        found.append(flyer.step(Seen(now, pose, heard, target)))
    return found


def changed(scene: Scene, change: Callable[[Body], Body]) -> Scene:
    """Return a scene with every body changed."""
    bodies = {i: change(body) for i, body in scene.bodies.items()}
    return scene._replace(bodies=bodies, target=change(scene.target))


def ring_at(scene: Scene, time: float) -> list[int]:
    """Return the ids in their order round the target at a time [s], agent 1 first."""
    x, y, _ = scene.target.at(time).position
    angles = {}
    for agent_id, body in scene.bodies.items():
        px, py, _ = body.at(time).position
        angles[agent_id] = math.atan2(py - y, px - x)
    ring = sorted(angles, key=angles.__getitem__)
    first = ring.index(1)
    return ring[first:] + ring[:first]


def mirrored_weights(scene: Scene) -> dict[int, float]:
    """Give every weight to the other end of its arc: the old successor."""
    ring = ring_at(scene, 0.0)
    return {ring[(k + 1) % len(ring)]: scene.weights[i] for k, i in enumerate(ring)}


@SYMMETRIC
@given(scenes(), st.floats(-3.0, 3.0), st.tuples(SPEED, SPEED))
def test_invariant_2_turning_and_shifting_the_scene(
    law: str, scene: Scene, turn: float, shift: tuple[float, float]
) -> None:
    """Invariant 2: the commands turn with the scene."""
    c, s = math.cos(turn), math.sin(turn)

    def moved(b: Body) -> Body:
        x, y = c * b.x - s * b.y + shift[0], s * b.x + c * b.y + shift[1]
        return Body(x, y, c * b.vx - s * b.vy, s * b.vx + c * b.vy, *b[4:])

    image = changed(scene, moved)
    for (x, y, z), after in zip(commands(law, scene), commands(law, image), strict=True):
        assert after == pytest.approx((c * x - s * y, s * x + c * y, z), abs=CLOSE)


@SYMMETRIC
@given(scenes())
def test_invariant_2_mirroring_the_scene(law: str, scene: Scene) -> None:
    """Invariant 2: the mirror image acts as the mirror shows, with all gains as they are.

    Weights belong to the start of an arc: where agents pass each other, other arcs get them.
    """
    assume(all(ring_at(scene, k * T) == ring_at(scene, 0.0) for k in range(1, 5)))
    both = zip(commands(law, scene), commands(law, mirrored(scene)), strict=True)
    for (x, y, z), after in both:
        assert after == pytest.approx((x, -y, z), abs=CLOSE)


def mirrored(scene: Scene) -> Scene:
    """Return a scene seen in a mirror: y, u and rotations negated, weights shifted."""
    image = changed(scene, lambda b: Body(b.x, -b.y, b.vx, -b.vy, -b.u, -b.u_ss))
    return image._replace(weights=mirrored_weights(scene), omega=-scene.omega)


@pytest.mark.as_original
def test_invariant_2_transport_prefers_a_side_as_original() -> None:
    """Invariant 2, as the original: with C_COUPLING the mirror image does not act mirrored."""
    still = Body(0.0, 0.0, 0.0, 0.0)
    south, north = still._replace(y=-20.0), still._replace(y=20.0, u=1.0)
    bodies = {1: still._replace(x=20.0), 2: north, 3: south}
    scene = Scene(bodies, 1, still, {1: 1.0, 2: 1.0, 3: 1.0}, 0.0)
    (_, plain, _), (_, image, _) = (
        commands('soliton_v1', one, c_coupling=2.0)[-1] for one in (scene, mirrored(scene))
    )
    assert image != pytest.approx(-plain, abs=0.01)


@SYMMETRIC
@given(scenes(), st.data())
def test_invariant_3_relabelling_the_scene(law: str, scene: Scene, data: st.DataObject) -> None:
    """Invariant 3: where angles differ, ids are only names."""
    ids = list(scene.bodies)
    renamed = dict(zip(ids, data.draw(st.permutations(ids)), strict=True))
    image = scene._replace(
        bodies={renamed[i]: body for i, body in scene.bodies.items()},
        weights={renamed[i]: weight for i, weight in scene.weights.items()},
        own=renamed[scene.own],
    )
    for before, after in zip(commands(law, scene), commands(law, image), strict=True):
        assert after == pytest.approx(before, abs=1e-9)
