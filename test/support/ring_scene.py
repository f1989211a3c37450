"""For tests of laws: one agent flies by what it knows of a ring, words a tick late."""

import math
from collections.abc import Mapping
from typing import Any, NamedTuple

from soliton_encirclement_ros.controllers import CONTROLLERS, Setup
from soliton_encirclement_ros.core import AgentState, Pose, TargetState
from soliton_encirclement_ros.core.estimation.estimator import NOTHING_SEEN
from soliton_encirclement_ros.core.named_rows import numbers_of
from soliton_encirclement_ros.core.parameters.swarm_parameters import FailureParameters
from soliton_encirclement_ros.core.scenario.plugin_sections import record_of
from soliton_encirclement_ros.core.scenario.random_streams import random_stream
from soliton_encirclement_ros.core.states.received_states import NEVER
from soliton_encirclement_ros.members.inbox import ReceivedStates
from soliton_encirclement_ros.members.member_memory import PLAIN
from soliton_encirclement_ros.members.own_agent import UNFILTERED, Agent
from soliton_encirclement_ros.members.own_rules import PLAIN_CODE, Code, OwnVehicle
from soliton_encirclement_ros.swarm.agent import law_step
from soliton_encirclement_ros.swarm.failures import Failures
from velocity_mobility_ros.core.velocity_model import Vector

T, R, TAU = 0.05, 20.0, 1.0
"""Control period [s], wanted radius [m] and lag of the vehicle [s], as by default."""

ORIGIN = (0.0, 0.0, 0.0)
STILL = TargetState(1, ORIGIN, ORIGIN)
AT_ORIGIN = Pose(ORIGIN, ORIGIN)


class Seen(NamedTuple):
    """What an agent has at a time [s].

    Attributes:
        now: The time.
        pose: Its own pose.
        others: What has just come of others.
        target: What came of the target, however old; each one counts.
        silence: How long ago that was [s].
        command: The command in effect [m/s, map].
    """

    now: float
    pose: Pose
    others: tuple[AgentState, ...]
    target: TargetState
    silence: float = 0.0
    command: Vector = ORIGIN


def apart() -> Code:
    """Return what runs the tick of one agent; what it hears is not shared with others."""
    return PLAIN_CODE._replace(heard=ReceivedStates(PLAIN))


class Flyer(Agent):
    """An agent whose law is asked for what it wants, before limits and filter."""

    def __init__(self, name: str, setup: Setup, agent_id: int = 1) -> None:
        """Know nobody; the law is that of the name."""
        well = Failures(FailureParameters(failure_enable=False), random_stream(0, 'x'), 0.0)
        own = OwnVehicle(setup, UNFILTERED, CONTROLLERS[name].law(setup))
        super().__init__(agent_id, own, well, find_code=lambda own: apart())
        self.begin()

    def step(self, seen: Seen) -> Vector:
        """Return the velocity [m/s, map] that the law wants."""
        rows = self.rows
        rows.place(seen.pose, 0.0)
        rows.command(seen.command)
        rows.receive(seen.now, seen.others)
        rows.target.heard_at = NEVER
        rows.receive(seen.now - seen.silence, [seen.target])
        wanted = law_step(rows.rules, rows.flight, rows.i, seen.now, NOTHING_SEEN)
        assert not rows.flight.status.faulty
        return wanted

    def use(self, setup: Setup) -> None:
        """Go on by another setup."""
        self.retune(setup, UNFILTERED)

    def said(self) -> AgentState:
        """Return what its law tells the others."""
        state = self._speak(AT_ORIGIN)
        return state._replace(seq=0, prop=state.prop[: len(self.rows.fields.law)])

    @property
    def memory(self) -> Any:
        """What its law remembers."""
        return self._unpack(numbers_of(self.rows.flight.laws[self.rows.i]))

    @property
    def values(self) -> dict[str, float]:
        """The telemetry by name."""
        return dict(zip(self.telemetry_names, self.telemetry(), strict=True))


def made(name: str, agent_id: int = 1, **control: float) -> Flyer:
    """Return an agent with a fresh law and its default gains, some changed."""
    setup = Setup(record_of('control', name)(controller=name, **control))
    return Flyer(name, setup, agent_id)


def turning(theta: float, rate: float = 0.0, centre: Pose = AT_ORIGIN) -> Pose:
    """Return a pose on the ring round a centre that turns at a rate [rad/s]."""
    (x, y, z), (vx, vy, vz) = centre.position, centre.velocity
    c, s = R * math.cos(theta), R * math.sin(theta)
    return Pose((x + c, y + s, z), (vx - rate * s, vy + rate * c, vz))


def known(
    k: int,
    pose: Pose,
    others: Mapping[int, Pose],
    target: TargetState = STILL,
    prop: Mapping[int, float] | None = None,
) -> Seen:
    """Return what agent 1 knows at tick k.

    Args:
        k: Number of the tick.
        pose: Its own pose now.
        others: Poses of the others, by number, as of the tick before.
        target: What the target said at the tick before.
        prop: What the others said of their headings [rad], by number.
    """
    told = {i: (('heading', heading),) for i, heading in (prop or {}).items()}
    heard = tuple(
        AgentState(i, k, *other, prop=told.get(i, ()), age=T) for i, other in others.items()
    )
    return Seen(k * T, pose, heard, target._replace(seq=k, age=T))


def even(count: int) -> list[float]:
    """Return even angles [rad], the first of them 0.3."""
    return [0.3 + 2.0 * math.pi * i / count for i in range(count)]


def ahead(place: Vector, velocity: Vector, time: float) -> Vector:
    """Return where a place is after a time [s]."""
    return tuple(p + v * time for p, v in zip(place, velocity, strict=True))


def command_on_even_ring(name: str, count: int, rate: float, velocity: Vector) -> tuple:
    """Return the velocity of agent 1 on an even ring that turns, and its command, at tick 3.

    Args:
        name: The law.
        count: Number of agents.
        rate: Turn rate of the ring [rad/s].
        velocity: Of the target [m/s, map].
    """
    flyer = made(name)
    for k in range(1, 4):
        now, before = ahead(ORIGIN, velocity, k * T), ahead(ORIGIN, velocity, (k - 1) * T)
        thetas = even(count)
        others = {
            i + 1: turning(thetas[i] + rate * (k - 1) * T, rate, Pose(before, velocity))
            for i in range(1, count)
        }
        headings = {i: thetas[i - 1] + rate * k * T + 0.5 * math.pi for i in others}
        pose = turning(thetas[0] + rate * k * T, rate, Pose(now, velocity))
        target = TargetState(k, before, velocity)
        command = flyer.step(known(k, pose, others, target, headings))
    return pose, now, command
