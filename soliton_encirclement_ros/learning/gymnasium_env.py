"""``SwarmEnv``: a central controller of a swarm, or of some of its agents, in Gymnasium."""

from collections.abc import Callable, Collection, Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from soliton_encirclement_ros.learning import of_extra
from soliton_encirclement_ros.learning.stepped_flight import (
    NOTHING, OBSERVED_NAMES, Moment, Reward, SteppedFlight, ring_reward
)

with of_extra():
    import gymnasium

Floats32 = NDArray[np.float32]


class SwarmEnv(gymnasium.Env):
    """One controller for all agents, or for some beside others that fly their law.

    - Action: (n, 3) float32, commanded velocity of each commanded agent [m/s, map], within the
      speeds of its vehicle; (3,) for a single one named as a text.
    - Observation: (n, 24) float32, ``OBSERVED_NAMES``; (24,) for a single one.
    - Reward: ``reward(moment)``; ``ring_reward`` by default.
    - ``terminated``: two agents have collided. ``truncated``: the scenario's duration is over.
    - ``info``: ``time`` [s], the metrics, ``separation`` [m], ``down``: names of agents that are.

    Attributes:
        flight: What is flown.

    Example:
        >>> env = SwarmEnv('still', 'uav_1')  # the other agents fly their law
        >>> observation, info = env.reset(seed=1)
        >>> observation, reward, terminated, truncated, info = env.step(env.action_space.sample())
    """

    metadata: dict[str, Any] = {'render_modes': []}  # noqa: RUF012 - as Gymnasium has it

    def __init__(
        self,
        scenario: str | Path = 'demo',
        agents: str | Collection[str] | None = None,
        *,
        changes: Mapping[str, Any] = NOTHING,
        ticks: int = 1,
        reward: Reward = ring_reward,
        is_compiled: Callable[[], bool] | None = None,
    ) -> None:
        """Read and check a scenario.

        Args:
            scenario: Scenario file, or name of an installed scenario.
            agents: The commanded agents: one name, or several; None: all.
            changes: Values of parameters by ``section.key``.
            ticks: Control ticks of a step.
            reward: Returns the reward of a step.
            is_compiled: As of ``SteppedFlight``.

        Raises:
            MobilityError: As of ``SteppedFlight``.
        """
        self._is_single = isinstance(agents, str)
        chosen = [agents] if isinstance(agents, str) else agents
        self.flight = SteppedFlight(
            scenario, chosen, changes=changes, ticks=ticks, is_compiled=is_compiled
        )
        self._reward = reward
        most = self._shaped(self.flight.speeds)
        self.action_space = gymnasium.spaces.Box(-most, most)
        shape = self._shaped(np.zeros((len(self.flight.agents), len(OBSERVED_NAMES)))).shape
        self.observation_space = gymnasium.spaces.Box(-np.inf, np.inf, shape)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Floats32, dict[str, Any]]:
        """Begin an episode; without a seed it has one from ``np_random``."""
        super().reset(seed=seed)
        chosen = int(self.np_random.integers(2**31)) if seed is None else seed
        moment = self.flight.reset(chosen)
        return self._shaped(moment.observations), self._info(moment)

    def step(self, action: Any) -> tuple[Floats32, float, bool, bool, dict[str, Any]]:
        """Command velocities [m/s, map], and fly a step.

        Raises:
            RunError: A number is not finite, or the shape is another one.
        """
        rows = np.asarray(action, dtype=float)
        moment = self.flight.step(rows[None] if self._is_single else rows)
        observation, reward = self._shaped(moment.observations), float(self._reward(moment))
        return observation, reward, moment.has_collided, moment.is_over, self._info(moment)

    def _shaped(self, every: NDArray[Any]) -> Floats32:
        """Return the rows of the commanded agents, of a single one its row."""
        rows = every[self.flight.rows].astype(np.float32)
        return rows[0] if self._is_single else rows

    def _info(self, moment: Moment) -> dict[str, Any]:
        down = [name for name, is_down in zip(self.flight.agents, moment.down, strict=True)
                if is_down]  # fmt: skip
        return {
            'time': moment.time, **moment.metrics, 'separation': moment.separation, 'down': down,
        }  # fmt: skip
