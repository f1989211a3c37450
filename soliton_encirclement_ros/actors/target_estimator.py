"""An agent's estimator of the target with its memory, fed with bearings and received messages."""

import math

from velocity_mobility_ros.core.model import Vector

from soliton_encirclement_ros.core.errors import LawFaultError
from soliton_encirclement_ros.core.estimation.bearing_sensor import NO_BEARING, read
from soliton_encirclement_ros.core.estimation.estimate_rules import (
    AT_START,
    ESTIMATE_SIZE,
    Progress,
    is_message_sound,
    is_newer,
    is_usable,
    sight_of,
    write_estimate,
    write_nothing,
)
from soliton_encirclement_ros.core.estimation.estimator import (
    NO_ESTIMATE,
    EstimatorView,
    SightSetup,
)
from soliton_encirclement_ros.core.estimation.estimator_registry import (
    checked_estimator,
)
from soliton_encirclement_ros.core.laws.law_fault import fault_line, raised_text
from soliton_encirclement_ros.core.laws.law_registry import short_name
from soliton_encirclement_ros.core.laws.record_rows import field_names, packing
from soliton_encirclement_ros.core.states.agent_cache import AgentCache
from soliton_encirclement_ros.core.states.message_acceptance import is_unread
from soliton_encirclement_ros.core.states.states import AgentState, Pose, TargetState

PREFIX = 'estimate_'
"""What the names of an estimator's fields in a broadcast state begin with."""

AHEAD = f'{PREFIX}ahead'
"""Field with the time [s] by which the message is younger than the sender's pose."""


class TargetEstimator:
    """The estimator of one agent.

    Attributes:
        estimate: The last estimate.
    """

    def __init__(self, agent_id: int, setup: SightSetup) -> None:
        """Know nothing.

        Args:
            agent_id: Number k of ``uav_k``.
            setup: Parameters of the estimator.

        Raises:
            LawError: There is no such estimator.
        """
        self._agent_id = agent_id
        self._name = setup.sight.estimator
        self._estimator = checked_estimator(self._name)
        self._packing = packing(self._estimator.no_message)
        names = field_names(self._estimator.no_message)
        self._fields = tuple(f'{PREFIX}{name}' for name in names)
        self._omega_ref, self._period = setup.sight.ring_omega_ref, setup.swarm.control_period
        self._has_range = setup.sight.range_noise is not None
        self._gains = self._estimator.gains(setup)
        self._progress = AT_START
        self._bearing, self._bearing_age = NO_BEARING, 0.0
        self.reset()

    def see(self, vector: Vector, age: float = 0.0) -> None:
        """Take a measured vector of an age [s] at the next step; the next one replaces it."""
        self._bearing, self._bearing_age = read(vector, self._has_range), age

    def reset(self) -> None:
        """Forget everything, as after a failure."""
        self.memory, self._message = self._estimator.rest, self._estimator.no_message
        self.estimate = NO_ESTIMATE

    def step(self, now: float, pose: Pose, pose_age: float, agents: AgentCache) -> None:
        """Advance by one control period.

        Args:
            now: Time [s].
            pose: The agent's own pose.
            pose_age: Its age [s].
            agents: States of the others.

        Raises:
            LawFaultError: The estimator raised an exception.
        """
        sight = sight_of(self._bearing, self._bearing_age, *pose, pose_age)
        others = self._unread(now, agents)
        view = EstimatorView(now, self._period, self._agent_id, *pose, sight, len(others), others)
        self._bearing = NO_BEARING
        self._progress = self._progress._replace(stepped=now)
        self._take(view)

    def _take(self, view: EstimatorView) -> None:
        try:
            after = self._estimator.step(self._gains, self.memory, view)
        except Exception as error:  # anything that an author's estimator may do
            what = fault_line(short_name(self._name), self._agent_id, view.now, raised_text(error))
            raise LawFaultError(what) from error
        self.memory, self._message, self.estimate = after
        if not is_message_sound(self._row()):
            self.reset()
        if not is_usable(self.estimate):
            self.estimate = NO_ESTIMATE

    def _unread(self, now: float, agents: AgentCache) -> list[tuple[float, ...]]:
        """Return the messages that have come since the last step, by number of the sender."""
        return [
            self._received(state, agents.age(number, now))
            for number, (state, received, _) in sorted(agents.receptions.items())
            if number != self._agent_id
            and is_unread(received, self._progress.stepped, now, agents.timeout)
        ]

    def _received(self, state: AgentState, age: float) -> tuple[float, ...]:
        fields = dict(state.prop)
        age -= fields.get(AHEAD, 0.0)
        values = [fields.get(name, 0.0) for name in self._fields]
        return (*state.position, *state.velocity, age, *values)

    def news(self, now: float, timeout: float) -> TargetState | None:
        """Return the estimate as a state of the target, if it has a new measurement.

        Args:
            now: Time [s].
            timeout: Age of a state of the target [s] at which it counts as lost.
        """
        if not is_newer(self._progress, self.estimate, now, timeout):
            return None
        seq = self._progress.seq + 1
        self._progress = Progress(now, now - self.estimate.age, seq)
        position, velocity = self.estimate.position, self.estimate.velocity
        return TargetState(seq, position, velocity, (), self._omega_ref)

    def broadcast(self, pose_age: float) -> tuple[tuple[str, float], ...]:
        """Return the message to the neighbours, in a state whose pose has an age [s]."""
        return ((AHEAD, pose_age), *zip(self._fields, self._row(), strict=True))

    def _row(self) -> list[float]:
        row = [0.0] * self._packing.size
        self._packing.pack(self._message, row)
        return row

    @property
    def telemetry(self) -> tuple[float, ...]:
        """The values of ``telemetry.ESTIMATE_NAMES``."""
        row = [0.0] * ESTIMATE_SIZE
        if math.isfinite(self.estimate.age):
            write_estimate(row, self.estimate)
        else:
            write_nothing(row)
        return tuple(row)
