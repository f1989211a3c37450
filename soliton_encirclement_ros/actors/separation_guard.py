"""The separation filter of one agent: what it knows of others, and what it does to commands."""

from collections.abc import Iterable

from velocity_mobility_ros.core.model import Vector

from soliton_encirclement_ros.core.states.known_bodies import KnownBodies
from soliton_encirclement_ros.core.states.states import Pose, SilentBody, State, TargetState
from soliton_encirclement_ros.safety.calling import filtered_plain
from soliton_encirclement_ros.safety.codes import GHOST, MUTUAL, NONE, TARGET
from soliton_encirclement_ros.safety.records import START, Filtered, FilterSettings, OwnState

STILL: Vector = (0.0, 0.0, 0.0)


class SeparationGuard:
    """The filter of one agent.

    Attributes:
        settings: Its numbers; replaceable.
        last: The last result.
    """

    def __init__(self, agent_id: int, settings: FilterSettings) -> None:
        """Know nobody, with command 0 in effect."""
        self.settings = settings
        self._bodies = KnownBodies(agent_id)
        self._in_effect = STILL
        self.last = Filtered(STILL, NONE, -1, START)

    def receive(self, states: Iterable[State], now: float, timeout: float) -> None:
        """Store received states, at a time [s]; see ``KnownBodies``."""
        self._bodies.receive(states, now, timeout)

    def silent(self, now: float, timeout: float) -> tuple[SilentBody, ...]:
        """Return the silent agents, to tell others of them."""
        return self._bodies.silent(now, timeout)

    def stop(self) -> None:
        """Note that command 0 is in effect."""
        self._in_effect = STILL

    def command(
        self,
        wanted: Vector,
        now: float,
        pose: Pose,
        timeout: float,
        target: TargetState | None,
        target_age: float,
    ) -> Vector:
        """Return the command [m/s, map] nearest to the wanted one that keeps all distances.

        Args:
            wanted: Wanted velocity [m/s, map].
            now: Time [s].
            pose: The own pose.
            timeout: Age [s] of the last reception beyond which an agent counts as silent.
            target: The last state of the target, None before the first.
            target_age: Its age [s].
        """
        others = self._bodies.rows(now, timeout, MUTUAL, GHOST)
        if target is not None and self.settings.target_radius > 0.0:
            others.append([*target.position, *target.velocity, target_age, TARGET, 0.0])
        own = OwnState(pose.position, pose.velocity)
        self.last = filtered_plain(
            self.settings, own, wanted, self._in_effect, others, (), self.last.memory
        )
        self._in_effect = self.last.command
        return self._in_effect
