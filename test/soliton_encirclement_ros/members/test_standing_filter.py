"""Vehicles that are to stand still: exactly zero where nobody is near, else slowly away."""

import math
from typing import NamedTuple

import pytest
from hypothesis import given, strategies as st

from soliton_encirclement_ros.core.laws.filter_codes import (
    FENCE, KEEP_OUT, NOBODY, NONE, RELAXED, SEPARATION, STOP
)
from soliton_encirclement_ros.core.parameters.run_parameters import SafetyParameters
from soliton_encirclement_ros.core.parameters.swarm_parameters import (
    CommandLimits, SwarmParameters
)
from soliton_encirclement_ros.core.states.states import (
    AdversaryState, AgentState, Pose, TargetState
)
from soliton_encirclement_ros.members.guarded_vehicle import GuardedVehicle
from soliton_encirclement_ros.safety.braking import braking_distance, usable_lag
from soliton_encirclement_ros.safety.filter import FASTEST
from soliton_encirclement_ros.safety.filter_records import START, filter_settings
from support.strategies import ANY_NUMBER
from velocity_mobility_ros.core.velocity_model import Vector, step

STILL: Vector = (0.0, 0.0, 0.0)
SWARM = SwarmParameters()
TIMEOUT, PERIOD = SWARM.agent_state_timeout, SWARM.control_period
TINY = 1e-9
FENCE_TEXT = '-9 -9, 9 -9, 9 9, -9 9'
HEARD, SILENT, BESIDE, TARGET, ADVERSARY = range(5)

ANGLES = st.floats(0.0, 2.0 * math.pi)
SAFETIES = st.builds(
    SafetyParameters,
    separation_distance=st.floats(0.5, 6.0),
    clock_error=st.floats(0.0, 0.2),
    position_noise=st.floats(0.0, 3.0),
    silent_flight_time=st.floats(0.0, 3.0),
    target_distance=st.floats(0.0, 6.0),
    adversary_distance=st.floats(0.0, 6.0),
    fence=st.sampled_from(['', FENCE_TEXT, '20 20, 30 20, 30 30']),
    lowest_height=st.none() | st.floats(-20.0, 4.0),
    highest_height=st.none() | st.floats(4.5, 30.0),
)
VEHICLES = st.builds(
    CommandLimits,
    tau_xy=st.sampled_from([None, 0.2, 1.0, 3.0]),
    max_acc_xy=st.floats(1.0, 6.0),
    response_delay=st.sampled_from([0.0, 0.11, 0.5]),
)


class Other(NamedTuple):
    """Another body.

    Attributes:
        kind: One of the kinds above.
        bearing: Where it is [rad].
        heading: Where it flies [rad].
        speed: How fast [m/s].
        spare: How much farther away it is than is needed [m].
        age: Age of its state [s].
        height: Its height [m].
    """

    kind: int
    bearing: float
    heading: float
    speed: float
    spare: float
    age: float
    height: float


OTHERS = st.builds(
    Other,
    kind=st.integers(HEARD, ADVERSARY),
    bearing=ANGLES,
    heading=ANGLES,
    speed=st.just(0.0) | st.floats(0.0, 8.0),
    spare=st.just(0.0) | st.floats(0.0, 20.0),
    age=st.just(0.0) | st.floats(0.0, 0.2),
    height=st.floats(-5.0, 15.0),
)


class Body:
    """A vehicle and what it is told, at the time 1 s."""

    def __init__(
        self, safety: SafetyParameters, limits: CommandLimits | None = None, number: int = 1
    ) -> None:
        """Know nobody."""
        self.limits, self.safety = limits or CommandLimits(), safety
        self.vehicle = GuardedVehicle(number, SWARM, self.limits, safety)

    def hear(self, k: int, other: Other, position: Vector) -> None:
        """Hear of a body."""
        x, y = math.cos(other.heading) * other.speed, math.sin(other.heading) * other.speed
        velocity = (x, y, 0.0)
        state = AgentState(k + 2, 1, position, velocity, age=other.age)
        if other.kind == TARGET:
            state = TargetState(1, position, velocity, age=other.age)
        elif other.kind == ADVERSARY:
            state = AdversaryState(1, position, velocity, other.age)
        if other.kind == BESIDE:
            self.vehicle.see(1.0, [state])
        else:
            self.vehicle.receive(0.9 - TIMEOUT if other.kind == SILENT else 1.0, [state])

    def stand(self, pose: Pose, now: float = 1.0, pose_age: float = 0.0) -> Vector:
        """Return the command."""
        self.vehicle.pose_age = pose_age
        return self.vehicle.hold(now, pose).command

    @property
    def memory(self) -> tuple[float, ...]:
        """What the filter remembers."""
        rows = self.vehicle.rows
        return tuple(rows.flight.guard.results[rows.i][4:])

    def room(self, other: Other, speed: float, pose_age: float) -> float:
        """Return how far away [m] a body surely keeps its distance, if the own speed is given."""
        a, tau = self.limits.max_acc_xy, usable_lag(self.limits.tau_xy or math.nan, PERIOD)
        wait = self.limits.response_delay + pose_age
        own = speed * wait + braking_distance(speed, a, tau)
        gone = other.age + wait + (0.1 + TIMEOUT if other.kind == SILENT else 0.0)
        if other.kind in (TARGET, ADVERSARY):
            least = self.safety.target_distance
            least = least if other.kind == TARGET else self.safety.adversary_distance
            met = braking_distance(speed + other.speed, a, tau) + speed * wait
            if other.speed > 0.0:  # it comes on: who stands has to let it come
                met += 2.0 * max(a * tau, speed + other.speed) / self.safety.separation_rate
            return least + met + other.speed * gone + 0.5 * a * gone * gone
        theirs = other.speed * gone + braking_distance(other.speed, a, tau)
        return self.safety.separation_distance + own + theirs


def flown(bearing: float, speed: float) -> Vector:
    """Return a velocity [m/s]."""
    return speed * math.cos(bearing), speed * math.sin(bearing), 0.0


@given(
    SAFETIES, VEHICLES, st.lists(OTHERS, max_size=8), ANGLES, st.just(0.0) | st.floats(0.0, 9.0),
    st.sampled_from([0.0, 0.15]),
)  # fmt: skip
def test_where_all_distances_are_kept_the_command_is_exactly_zero(
    safety: SafetyParameters, limits: CommandLimits, others: list[Other], heading: float,
    speed: float, pose_age: float,
) -> None:  # fmt: skip
    """Inside and outside of fence and height band, at rest or fast, whatever errors there are."""
    body = Body(safety, limits)
    for k, other in enumerate(others):
        away = body.room(other, speed, pose_age) + other.spare + TINY
        position = away * math.cos(other.bearing), away * math.sin(other.bearing), other.height
        body.hear(k, other, position)
    for _ in range(3):
        command = body.stand(Pose((0.0, 0.0, 2.0), flown(heading, speed)), 1.0, pose_age)
        assert command == STILL
        assert body.vehicle.filtered == (NONE, NOBODY, 0.0)
        assert body.memory == START


@given(
    SAFETIES, VEHICLES, st.lists(OTHERS, max_size=8), ANGLES, st.just(0.0) | st.floats(0.0, 9.0),
    st.floats(0.0, 8.0),
)  # fmt: skip
def test_nobody_moves_fast_or_changes_its_height(
    safety: SafetyParameters, limits: CommandLimits, others: list[Other], heading: float,
    speed: float, near: float,
) -> None:  # fmt: skip
    body = Body(safety, limits)
    for k, other in enumerate(others):
        away = near + 0.2 * other.spare
        position = away * math.cos(other.bearing), away * math.sin(other.bearing), other.height
        body.hear(k, other, position)
    for _ in range(3):
        x, y, z = body.stand(Pose((0.0, 0.0, 2.0), flown(heading, speed)))
        assert math.hypot(x, y) <= FASTEST + TINY
        assert z == 0.0


@given(ANY_NUMBER, ANY_NUMBER, ANY_NUMBER)
def test_whatever_is_measured_the_command_is_finite_and_slow(x: float, y: float, v: float) -> None:
    body = Body(SafetyParameters(fence=FENCE_TEXT))
    body.hear(0, Other(HEARD, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0), (1.0, 0.0, 0.0))
    command = body.stand(Pose((x, y, 0.0), (v, 0.0, v)))
    assert math.hypot(*command) <= FASTEST + TINY
    if not all(map(math.isfinite, (x, y, v))):
        assert (command, body.vehicle.done.reason) == (STILL, STOP)


WEST_OF = {
    HEARD: SEPARATION, SILENT: SEPARATION, BESIDE: SEPARATION, TARGET: KEEP_OUT,
    ADVERSARY: KEEP_OUT,
}  # fmt: skip


@pytest.mark.parametrize(('kind', 'reason'), WEST_OF.items())
def test_who_is_too_near_is_evaded_slowly_and_named(kind: int, reason: int) -> None:
    body = Body(SafetyParameters())
    body.hear(0, Other(kind, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0), (1.5, 0.0, 0.0))
    assert body.stand(Pose(STILL, STILL)) == pytest.approx((-FASTEST, 0.0, 0.0))
    told, who, change = body.vehicle.filtered
    assert told == reason and who != NOBODY
    assert change == pytest.approx(FASTEST)


def test_a_detour_from_before_the_stop_is_forgotten() -> None:
    body = Body(SafetyParameters())
    body.hear(0, Other(SILENT, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0), (2.35, 0.0, 0.0))
    body.vehicle.wanted = (8.0, 0.0, 0.0)
    for _ in range(40):
        body.vehicle.decide(1.0, Pose(STILL, STILL))
    assert body.memory != START
    assert body.stand(Pose(STILL, STILL)) == STILL
    assert body.memory == START


def test_one_between_two_stands_and_says_so() -> None:
    body = Body(SafetyParameters())
    for k, x in enumerate((-0.5, 0.5)):
        body.hear(k, Other(SILENT, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0), (x, 0.0, 0.0))
    body.stand(Pose(STILL, STILL))
    assert body.vehicle.done.reason == RELAXED


@pytest.mark.parametrize('x', [8.9, 9.5, 60.0])
def test_fence_and_heights_move_nobody_that_is_to_stand(x: float) -> None:
    body = Body(SafetyParameters(fence=FENCE_TEXT, lowest_height=5.0, highest_height=9.0))
    for height in (0.0, 7.0, 30.0):
        assert body.stand(Pose((x, 0.0, height), STILL)) == STILL
        assert body.vehicle.done.reason == NONE


def test_one_that_makes_way_stays_inside_the_fence() -> None:
    body = Body(SafetyParameters(fence=FENCE_TEXT))
    body.hear(0, Other(HEARD, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0), (7.5, 0.1, 0.0))
    x, y, _ = body.stand(Pose((8.5, 0.0, 0.0), STILL))
    assert x <= 0.0
    assert y < 0.0
    assert body.vehicle.done.reason in (SEPARATION, FENCE, RELAXED)


def test_one_outside_of_the_fence_makes_way_as_if_there_were_none() -> None:
    body = Body(SafetyParameters(fence=FENCE_TEXT))
    body.hear(0, Other(HEARD, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0), (14.0, 0.0, 0.0))
    assert body.stand(Pose((15.0, 0.0, 0.0), STILL)) == pytest.approx((FASTEST, 0.0, 0.0))


def test_other_distances_count_at_once() -> None:
    body = Body(SafetyParameters())
    body.hear(0, Other(HEARD, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0), (3.0, 0.0, 0.0))
    assert body.stand(Pose(STILL, STILL)) == STILL
    body.vehicle.retune(body.limits, SafetyParameters(separation_distance=5.0))
    assert body.stand(Pose(STILL, STILL))[0] < -0.5


class Flight:
    """Stopped vehicles that drift, along a line, with the true answers of the model."""

    def __init__(self, places: list[float], drifts: list[float], limits: CommandLimits) -> None:
        """Place them; a drift [m/s] is added to what each is told to do."""
        safety = SafetyParameters()
        self._bodies = [Body(safety, limits, k) for k, _ in enumerate(places, 1)]
        self._poses = [Pose((x, 0.0, 0.0), STILL) for x in places]
        self._drifts, self._limits, self._now = drifts, filter_settings(safety, limits, SWARM), 1.0
        self.least, self.fastest = math.inf, 0.0

    def fly(self, seconds: float, with_filter: bool = True) -> None:
        """Fly; note the least distance [m] and the largest command [m/s]."""
        for seq in range(1, round(seconds / PERIOD)):
            self._now += PERIOD
            states = tuple(AgentState(k, seq, *pose) for k, pose in enumerate(self._poses, 1))
            commands = [self._command(k, states) if with_filter else STILL for k in (0, 1)]
            self._move(commands)
            gap = math.dist(self._poses[0].position, self._poses[1].position)
            self.least = min(self.least, gap)
            self.fastest = max(self.fastest, *(math.hypot(*one) for one in commands))

    def _command(self, k: int, states: tuple[AgentState, ...]) -> Vector:
        body = self._bodies[k]
        body.vehicle.receive(self._now, states)
        return body.stand(self._poses[k], self._now)

    def _move(self, commands: list[Vector]) -> None:
        for k, command in enumerate(commands):
            told = (command[0] + self._drifts[k], command[1], 0.0)
            position, velocity = self._poses[k]
            for _ in range(5):
                position, velocity = step(position, velocity, told, 0.01, self._limits.limits)
            self._poses[k] = Pose(position, velocity)


@pytest.mark.parametrize('tau', [0.2, 1.0])
@pytest.mark.parametrize('drifts', [(0.3, -0.3), (0.0, -0.6), (0.5, 0.1)])
def test_stopped_vehicles_that_drift_together_keep_apart(
    tau: float, drifts: tuple[float, float]
) -> None:
    limits = CommandLimits(tau_xy=tau)
    without, with_it = (Flight([0.0, 4.0], [*drifts], limits) for _ in range(2))
    without.fly(30.0, with_filter=False)
    assert without.least < 0.5
    with_it.fly(30.0)
    assert with_it.least > 1.6
    assert 0.0 < with_it.fastest <= FASTEST + TINY
