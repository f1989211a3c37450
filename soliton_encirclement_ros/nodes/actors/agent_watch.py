"""Faults of an agent beyond its own inputs, and its events."""

import math
import time
from collections.abc import Sequence

from rclpy.node import Node
from velocity_mobility_ros.ros_io.conditions import Condition, Level

from soliton_encirclement_ros.core.run.swarm_health import DOWN
from soliton_encirclement_ros.core.states.states import Pose, State
from soliton_encirclement_ros.members.own_agent import Agent, AgentDecision
from soliton_encirclement_ros.nodes.actors.agent_events import AgentEvents
from soliton_encirclement_ros.nodes.actors.filter_watch import FilterWatch
from soliton_encirclement_ros.nodes.actors.identity_watch import IdentityWatch
from soliton_encirclement_ros.nodes.actors.neighbour_watch import NeighbourWatch

LAW_FAILED = 'the law failed'
"""Why an agent is down whose law raised an exception, or returned a non-finite velocity."""


class AgentWatch:
    """Monitors an agent from outside; the agent does not depend on it."""

    def __init__(self, node: Node, agent: Agent, target: str, own: str | None) -> None:
        """Start.

        Args:
            node: The agent's node.
            agent: The agent.
            target: Topic of the target's states.
            own: Topic of the agents' states, on which each receives its own; None where none does.
        """
        self._agent = agent
        self._target = target
        self._events = AgentEvents(node.get_logger(), agent)
        self._neighbours = NeighbourWatch(node.get_logger())
        self._identity = IdentityWatch(node, agent.agent_id, own, True) if own else None
        self._filter = FilterWatch(agent)
        self._speed = 0.0

    @property
    def is_second(self) -> bool:
        """Whether another agent has this number, and had it before."""
        return self._identity is not None and self._identity.is_second

    def receive(self, states: Sequence[State]) -> None:
        """Check the states that the agent receives."""
        if self._identity is not None:
            self._identity.receive(tuple(states))

    def after_tick(self, now: float, pose: Pose, decision: AgentDecision) -> None:
        """Check the output of the agent at a time [s] and a measured pose."""
        if self._identity is not None and decision.state is not None:
            self._identity.sent(decision.state)
        self._speed = math.hypot(*decision.command)
        self._events.after_tick(now, decision.command)
        self._filter.after_tick(now, pose)

    def diagnostic_values(self, now: float) -> dict[str, object]:
        """Return key values at a time [s]."""
        return {
            'failed': self._agent.failures.failed,
            'neighbour_timeouts': self._agent.timeouts,
            'neighbours_heard': len(self._agent.neighbours(now)),
            'target_age_s': f'{self._agent.target_age(now):.3f}',
            'command_speed_m_per_s': f'{self._speed:.3f}',
            **self._filter.diagnostic_values(),
        }

    def conditions(self, now: float) -> list[Condition]:
        """Return all faults at a time [s]; call it once a second."""
        found = self._identity.conditions() if self._identity else []
        failures = self._agent.failures
        if failures.failed:
            self._neighbours.forget()
            level = Level.ERROR if failures.cause == LAW_FAILED else Level.WARN
            return [*found, Condition(level, f'{DOWN} ({failures.cause})')]
        self._neighbours.update(now, time.monotonic(), self._agent.neighbours(now))
        found += self._filter.conditions()
        return [*found, *self._of_target(now), *self._neighbours.conditions(now)]

    def _of_target(self, now: float) -> list[Condition]:
        if self._agent.hears_target(now):
            return []
        age = self._agent.target_age(now)
        if math.isinf(age):
            reason = f'no state of the target received yet on {self._target}'
            return [Condition(Level.STALE, reason, unheard=self._target)]
        return [Condition(Level.ERROR, f'target lost: last received {age:.1f} s ago')]
