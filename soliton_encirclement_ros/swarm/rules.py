"""The constants of a flight."""

from collections.abc import Callable, Mapping
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from soliton_encirclement_ros.core.member_paths import PathFlight
from soliton_encirclement_ros.core.ring.spin_laws import SpinGains
from soliton_encirclement_ros.safety.nearest_bodies import SpanBound
from velocity_mobility_ros.core.step_time import step_ns, to_seconds


class SwarmRules(NamedTuple):
    """Constants that all members share.

    Attributes:
        agents: How many agents there are; ``adversary`` is 1 if there is one, else 0.
        period: Control period [s], of ``substeps`` updates of the bodies every ``update_period``.
        radius: Wanted radius of the ring [m].
        agent_timeout: Age [s] from which the state of an agent, or of the target, is not used.
        prune: Whether the target forgets agents that are silent.
        rejoins: Whether reception may become alike again in the engine.
    """

    agents: int
    adversary: int
    period: float
    substeps: int
    update_period: float
    radius: float
    agent_timeout: float
    target_timeout: float
    prune: bool
    rejoins: bool


class LawFunctions(NamedTuple):
    """Functions of a law, over rows of numbers in place.

    ``step(gains, memory, message, decision, view)`` advances by one period, ``reset(memory)``
    follows a failure, ``record(memory, out)`` writes the recorded values.
    """

    step: Callable[..., int]
    reset: Callable[..., int]
    record: Callable[..., int]


class LawRules(NamedTuple):
    """The law of all agents; times in s, ``r_min`` in m.

    ``gains`` and ``limits`` (the largest horizontal and vertical speed of a command [m/s]) have a
    row for every kind of vehicle, ``kind`` is that of every agent.
    ``rest`` and ``no_message`` are the initial memory and message of an agent, ``relays`` is
    whether agents pass on reports of the target.
    """

    functions: LawFunctions
    gains: NDArray[np.float64]
    limits: NDArray[np.float64]
    kind: NDArray[np.int64]
    rest: NDArray[np.float64]
    no_message: NDArray[np.float64]
    dead_reckoning: bool
    relays: bool
    target_hold: float
    neighbour_hold: float
    neighbour_timeout: float
    r_min: float


class VehicleRules(NamedTuple):
    """The vehicles of all members, one a row.

    ``move(coefficients, states, bodies, speeds, updates, dt)`` advances all of them over rows, in
    place.
    """

    move: Callable[..., int]
    coefficients: NDArray[np.float64]


class SensingRules(NamedTuple):
    """Sensors of members, and the latency of their commands.

    ``coefficients`` are the numbers of ``SensorCoefficients``, with a row for every kind of
    sensor; ``kind`` is that of every member, ``seeds`` are those of their random numbers. Off
    where everything is perfect.
    """

    on: bool
    coefficients: NDArray[np.float64]
    kind: NDArray[np.int64]
    seeds: NDArray[np.int64]


class EstimatorRules(NamedTuple):
    """Cameras and estimator of agents whose target broadcasts nothing.

    ``step(gains, memory, message, out, view)`` advances the estimator in place and leaves the
    estimate in ``out``. ``rest`` and ``no_message`` are the memory and the message at the start.
    ``cameras`` are the numbers of ``CameraCoefficients``, one agent a row, ``seeds`` those of
    their random numbers. ``first`` is the column of a message at which that of the estimator
    begins, ``settled`` the time [s] from which its errors count. Off where the target broadcasts
    its state.
    """

    on: bool
    step: Callable[..., int]
    gains: NDArray[np.float64]
    rest: NDArray[np.float64]
    no_message: NDArray[np.float64]
    cameras: NDArray[np.float64]
    seeds: NDArray[np.int64]
    omega_ref: float
    first: int
    settled: float


class FailureRules(NamedTuple):
    """Random failures of agents."""

    enable: bool
    period: float
    off_time: float


class MotionRules(NamedTuple):
    """Motion of the target: straight on or not, speed [m/s], heading [deg], half its box [m]."""

    constant: bool
    speed: float
    heading_deg: float
    bound: float


class TargetRules(NamedTuple):
    """Motion of the target and its requests.

    ``spin_step(memory, now, err, known, gains)`` advances the spin law in place and leaves the
    rate at the end of the memory.
    """

    motion: MotionRules
    motion_period: float
    protection_deg: float
    always_fresh: bool
    spin: bool
    spin_step: Callable[..., int]
    omega_ref: float
    spin_gains: SpinGains


class RadioRules(NamedTuple):
    """Constants of the radio; times in s, and in ns where named so.

    ``clocks_ns`` are how far the clocks of the members are ahead of the true time, none if they
    agree.
    """

    seed: np.uint64
    range_sq: float
    loss: float
    delay: float
    delay_ns: int
    jitter: float
    jitter_ns: int
    clocks_ns: NDArray[np.int64]


class RoamRules(NamedTuple):
    """How it roams: half side of its box [m], distance to the target to keep [m], speed [m/s]."""

    bound: float
    keep: float
    speed: float


class PathRules(NamedTuple):
    """The leaders of members on paths.

    The rows of member i are ``rows[first[i] : first[i + 1]]``, as ``LeaderTrack`` has them;
    ``ended`` is whether the last one is the end of the path. ``guidance`` holds a
    ``TrackGuidance`` a row, ``limits`` the largest horizontal and vertical speed [m/s].
    """

    rows: NDArray[np.float64]
    first: NDArray[np.int64]
    ended: NDArray[np.bool_]
    guidance: NDArray[np.float64]
    limits: NDArray[np.float64]


def path_rules_of(flights: Mapping[int, PathFlight], members: int) -> PathRules:
    """Return the paths of some members by their indices, as far as they are computed."""
    tables = [np.empty((0, 6))] * members
    ended = np.zeros(members, dtype=bool)
    guidance, limits = np.zeros((members, 5)), np.zeros((members, 2))
    for i, flight in flights.items():
        tables[i], ended[i] = flight.track.rows, flight.track.ended
        guidance[i] = flight.plan.guidance
        limits[i] = flight.plan.limits.max_speed_xy, flight.plan.limits.max_speed_z
    first = np.cumsum([0, *map(len, tables)])
    return PathRules(np.concatenate(tables), first, ended, guidance, limits)


class SafetyRules(NamedTuple):
    """The separation filter of all agents.

    ``filter(settings, body, wanted, in_effect, others, fence, scratch, result)`` works over rows;
    ``settings`` have a row for every kind of vehicle. ``lowest`` and ``highest`` bound the height
    [m]; ``spans`` are those of the kind that looks farthest.
    """

    on: bool
    filter: Callable[..., int]
    settings: NDArray[np.float64]
    fence: NDArray[np.float64]
    avoids_target: bool
    avoids_adversary: bool
    lowest: float
    highest: float
    spans: SpanBound


class CheckRules(NamedTuple):
    """Checks of what neighbours send: see ``neighbour_checks``.

    Attributes:
        on: Whether states are refused.
        can_refuse_own: Whether a member of the own flight may send a state that is refused.
        position: Tolerance of a place [m]; ``velocity`` that of a velocity [m/s].
        forgive: Time [s] after which a sender is believed again.
        roster: Largest number of an agent, 0: any.
        speed: Largest speed of others [m/s] by kind of the own vehicle.
        acceleration: Their largest acceleration [m/s^2], likewise.
        beside: Distance below which they would have collided [m], likewise; 0: not looked at.
    """

    on: bool
    can_refuse_own: bool
    position: float
    velocity: float
    forgive: float
    roster: int
    speed: NDArray[np.float64]
    acceleration: NDArray[np.float64]
    beside: NDArray[np.float64]


class RecordRules(NamedTuple):
    """Recording: every n-th tick, and the study's numbers or not."""

    every: int
    study: bool


class Rules(NamedTuple):
    """All constants of a flight."""

    swarm: SwarmRules
    law: LawRules
    vehicle: VehicleRules
    sensing: SensingRules
    estimator: EstimatorRules
    failure: FailureRules
    target: TargetRules
    adversary: RoamRules
    radio: RadioRules
    paths: PathRules
    safety: SafetyRules
    checks: CheckRules
    record: RecordRules


def time_at(rules: Rules, tick: int) -> float:
    """Return the time of a tick [s]."""
    return to_seconds(step_ns(tick, rules.swarm.period))
