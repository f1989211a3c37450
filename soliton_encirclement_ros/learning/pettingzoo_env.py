"""``SwarmParallelEnv``: a controller for each agent of a swarm, in PettingZoo."""

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
    from pettingzoo import ParallelEnv

Floats32 = NDArray[np.float32]


class SwarmParallelEnv(ParallelEnv):
    """All agents at once, or some beside others that fly their law; each sees what it knows.

    - Action of each: (3,) float32, its commanded velocity [m/s, map], within the speeds of its
      vehicle.
    - Observation of each: (24,) float32, ``OBSERVED_NAMES``.
    - Reward: the same for all, ``reward(moment)``; ``ring_reward`` by default.
    - Termination of all: two agents have collided. Truncation of all: the scenario's duration is
      over. An agent that is down stays, and what it commands does nothing.
    - Info of each: ``is_down``.

    Attributes:
        flight: What is flown.
        agents: Those of the present episode; none after its end.
        possible_agents: Names of the commanded agents.

    Example:
        >>> env = SwarmParallelEnv('still')
        >>> observations, infos = env.reset(seed=1)
        >>> actions = {agent: env.action_space(agent).sample() for agent in env.agents}
        >>> observations, rewards, terminations, truncations, infos = env.step(actions)
    """

    metadata: dict[str, Any] = {'name': 'soliton_encirclement', 'render_modes': []}  # noqa: RUF012

    def __init__(
        self,
        scenario: str | Path = 'demo',
        agents: Collection[str] | None = None,
        *,
        changes: Mapping[str, Any] = NOTHING,
        ticks: int = 1,
        reward: Reward = ring_reward,
        is_compiled: Callable[[], bool] | None = None,
    ) -> None:
        """Read and check a scenario.

        Args:
            scenario: Scenario file, or name of an installed scenario.
            agents: Names of the commanded agents; None: all.
            changes: Values of parameters by ``section.key``.
            ticks: Control ticks of a step.
            reward: Returns the reward of a step.
            is_compiled: As of ``SteppedFlight``.

        Raises:
            MobilityError: As of ``SteppedFlight``.
        """
        self.flight = SteppedFlight(
            scenario, agents, changes=changes, ticks=ticks, is_compiled=is_compiled
        )
        self._reward = reward
        self.possible_agents = [*self.flight.commanded]
        self.agents: list[str] = []
        most = self.flight.speeds[self.flight.rows].astype(np.float32)
        self._actions = {
            name: gymnasium.spaces.Box(-one, one)
            for name, one in zip(self.possible_agents, most, strict=True)
        }
        self._observed = gymnasium.spaces.Box(-np.inf, np.inf, (len(OBSERVED_NAMES),))
        self._seeds = np.random.default_rng()

    def action_space(self, agent: str) -> gymnasium.Space[Any]:
        """Return the commanded velocities that an agent may have [m/s]."""
        return self._actions[agent]

    def observation_space(self, agent: str) -> gymnasium.Space[Any]:
        """Return the observations of an agent."""
        return self._observed

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Floats32], dict[str, dict[str, Any]]]:
        """Begin an episode; without a seed it has one that follows from that of the last."""
        if seed is not None:
            self._seeds = np.random.default_rng(seed)
        chosen = int(self._seeds.integers(2**31)) if seed is None else seed
        self.agents = [*self.possible_agents]
        moment = self.flight.reset(chosen)
        return self._rows(moment), self._infos(moment)

    def step(
        self, actions: Mapping[str, Any]
    ) -> tuple[
        dict[str, Floats32], dict[str, float], dict[str, bool], dict[str, bool],
        dict[str, dict[str, Any]],
    ]:  # fmt: skip
        """Command velocities [m/s, map], and fly a step.

        Raises:
            RunError: A number is not finite, or a shape is another one.
        """
        moment = self.flight.step([actions[name] for name in self.possible_agents])
        reward, agents = float(self._reward(moment)), self.agents
        if moment.has_collided or moment.is_over:
            self.agents = []
        return (
            self._rows(moment),
            dict.fromkeys(agents, reward),
            dict.fromkeys(agents, moment.has_collided),
            dict.fromkeys(agents, moment.is_over),
            self._infos(moment),
        )

    def _rows(self, moment: Moment) -> dict[str, Floats32]:
        rows = moment.observations[self.flight.rows].astype(np.float32)
        return dict(zip(self.possible_agents, rows, strict=True))

    def _infos(self, moment: Moment) -> dict[str, dict[str, Any]]:
        down = moment.down[self.flight.rows].tolist()
        return {
            name: {'is_down': is_down}
            for name, is_down in zip(self.possible_agents, down, strict=True)
        }
