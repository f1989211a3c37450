"""Our law has no favourite direction, side, place or id: one agent, and whole flights."""

import math
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from soliton_encirclement_ros.controllers import CONTROLLERS, Knowledge, Setup
from soliton_encirclement_ros.core import AgentState, Pose, TargetState
from soliton_encirclement_ros.core.states.agent_cache import AgentCache
from soliton_encirclement_ros.core.states.swarm_topics import uav
from velocity_mobility_ros.core.model import Vector

T = 0.05
SPEED = st.floats(-6.0, 6.0)
CLOSE = 1e-4
"""A rank that finds the speed limit used up sees the root of a rounding error."""


class Body(NamedTuple):
    """Place [m] and velocity [m/s] in the plane; it flies straight on."""

    x: float
    y: float
    vx: float
    vy: float

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
        bodies[agent_id] = Body(x, y, draw(SPEED), draw(SPEED))
    weights = {i: draw(st.floats(0.1, 10.0)) for i in ids}
    target = Body(*place, draw(SPEED), draw(SPEED))
    return Scene(bodies, ids[0], target, weights, draw(st.floats(-0.5, 0.5)))


def commands(scene: Scene, ticks: int = 4) -> list[Vector]:
    """Return what a fresh law commands at some ticks; words are heard one tick late."""
    controller, found = CONTROLLERS['soliton'](Setup()), []
    for k in range(1, ticks + 1):
        now, cache = k * T, AgentCache(0.25)
        for agent_id, body in scene.bodies.items():
            if agent_id != scene.own:
                cache.accept(AgentState(agent_id, k, *body.at(now - T), age=T), now)
        weights = tuple(scene.weights.items())
        target = TargetState(k, *scene.target.at(now - T), weights, scene.omega, T)
        pose = scene.bodies[scene.own].at(now)
        seen = Knowledge(now, scene.own, pose, cache, target, True, T, (0.0, 0.0, 0.0))
        found.append(controller.step(seen))
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


@given(scenes(), st.floats(-3.0, 3.0), st.tuples(SPEED, SPEED))
def test_invariant_2_turning_and_shifting_the_scene(
    scene: Scene, turn: float, shift: tuple[float, float]
) -> None:
    """Invariant 2: the commands turn with the scene."""
    c, s = math.cos(turn), math.sin(turn)

    def moved(b: Body) -> Body:
        x, y = c * b.x - s * b.y + shift[0], s * b.x + c * b.y + shift[1]
        return Body(x, y, c * b.vx - s * b.vy, s * b.vx + c * b.vy)

    for (x, y, z), after in zip(commands(scene), commands(changed(scene, moved)), strict=True):
        assert after == pytest.approx((c * x - s * y, s * x + c * y, z), abs=CLOSE)


@given(scenes())
def test_invariant_2_mirroring_the_scene(scene: Scene) -> None:
    """Invariant 2: the mirror image acts as the mirror shows, with all gains as they are.

    Weights belong to the start of an arc: where agents pass each other, other arcs get them.
    """
    assume(all(ring_at(scene, k * T) == ring_at(scene, 0.0) for k in range(1, 5)))
    image = changed(scene, lambda b: Body(b.x, -b.y, b.vx, -b.vy))
    image = image._replace(weights=mirrored_weights(scene), omega=-scene.omega)
    for (x, y, z), after in zip(commands(scene), commands(image), strict=True):
        assert after == pytest.approx((x, -y, z), abs=CLOSE)


@given(scenes(), st.data())
def test_invariant_3_relabelling_the_scene(scene: Scene, data: st.DataObject) -> None:
    """Invariant 3: where angles differ, ids are only names."""
    ids = list(scene.bodies)
    renamed = dict(zip(ids, data.draw(st.permutations(ids)), strict=True))
    image = scene._replace(
        bodies={renamed[i]: body for i, body in scene.bodies.items()},
        weights={renamed[i]: weight for i, weight in scene.weights.items()},
        own=renamed[scene.own],
    )
    for before, after in zip(commands(scene), commands(image), strict=True):
        assert after == pytest.approx(before, abs=1e-9)


THETAS = (0.1, 0.9, 1.3, 3.0, 4.4)
RADII = (25.0, 14.0, 20.0, 31.0, 18.0)


@pytest.fixture
def flight(closed_loop: Callable, calm: Callable) -> Callable[..., list[Vector]]:
    """Return a maker of flights from given places, which returns where everybody ends."""

    def fly(places: list[tuple[float, float]], heading: float, omega: float) -> list[Vector]:
        changes: Mapping[str, Mapping[str, Any]] = {
            'run': {'num_agents': 5, 'sim_duration': 15.0},
            'control': {'controller': 'soliton'},
            'target': {
                'target_motion': 'constant', 'target_motion_speed_xy': 3.0,
                'target_motion_heading_deg': heading, 'target_swarm_omega_ref': omega,
            },
            'adversary': {'adversary_enable': False},
        }  # fmt: skip
        loop = closed_loop(calm(changes), [(*place, 0.0) for place in places])
        loop.fly()
        return [loop.world.pose(uav(k)).position for k in loop.scenario.agent_ids]

    return fly


def places(turn: float = 0.0, side: float = 1.0) -> list[tuple[float, float]]:
    """Return where everybody starts, turned, or mirrored with a side of -1."""
    return [
        (r * math.cos(side * theta + turn), r * math.sin(side * theta + turn))
        for r, theta in zip(RADII, THETAS, strict=True)
    ]


def test_a_turned_flight_ends_turned(flight: Callable) -> None:
    """Fifteen seconds from uneven places to the ring, 100 degrees round."""
    c, s = math.cos(math.radians(100.0)), math.sin(math.radians(100.0))
    before, after = flight(places(), 30.0, 0.1), flight(places(math.radians(100.0)), 130.0, 0.1)
    for (x, y, z), found in zip(before, after, strict=True):
        assert found == pytest.approx((c * x - s * y, s * x + c * y, z), abs=1e-6)


def test_a_mirrored_flight_ends_mirrored(flight: Callable) -> None:
    """Neither side is the better one."""
    before, after = flight(places(), 30.0, 0.1), flight(places(side=-1.0), -30.0, -0.1)
    for (x, y, z), found in zip(before, after, strict=True):
        assert found == pytest.approx((x, -y, z), abs=1e-6)


def test_a_relabelled_flight_ends_relabelled(flight: Callable) -> None:
    """Who is who does not matter."""
    order = [3, 0, 4, 2, 1]
    before, after = flight(places(), 30.0, 0.1), flight([places()[i] for i in order], 30.0, 0.1)
    for i, found in zip(order, after, strict=True):
        assert found == pytest.approx(before[i], abs=1e-6)
