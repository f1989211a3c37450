"""Counts the work of a real-time run over ROS in a control period, per process, from its plan."""

from collections.abc import Sequence
from typing import NamedTuple

from soliton_encirclement_ros.core.scenario.composition import ProcessGroup
from soliton_encirclement_ros.core.scenario.swarm_plan import MANY_AGENTS, NodeSpec


class Work(NamedTuple):
    """Pieces of work of one process: how many per control period, or the cost [s] of each.

    Attributes:
        lifetime: Seconds that the process lives, for what it does at any rate: discovery,
            diagnostics, looking into queues.
        process: Wake-ups of a process, with the threads of the middleware.
        member: An agent, the target or the adversary decides and publishes.
        compiled: An agent does so by machine code: one of many in its process.
        received: A state is received, read, and put on the ring: once by the agents of a process
            together, and by every other member.
        vehicle: The world moves a vehicle: takes its command, publishes its odometry.
        crossing: A message leaves a process for another one of the swarm, or arrives from it.
        watched: The monitor takes all that an agent says and computes metrics.
        recorded: The recorder writes all messages of an agent and its vehicle.
    """

    lifetime: float = 0.0
    process: float = 0.0
    member: float = 0.0
    compiled: float = 0.0
    received: float = 0.0
    vehicle: float = 0.0
    crossing: float = 0.0
    watched: float = 0.0
    recorded: float = 0.0

    def time(self, costs: 'Work') -> float:
        """Return the processor time [s] of this work at a cost [s] of each piece."""
        return sum(count * cost for count, cost in zip(self, costs, strict=True))


class _Counts(NamedTuple):
    """What some nodes of a plan are: numbers of agents, of other members, and of worlds."""

    agents: int
    others: int
    worlds: int

    @property
    def members(self) -> int:
        return self.agents + self.others

    @property
    def messages(self) -> int:
        """Messages with states: the agents of a process send one together."""
        return bool(self.agents) + self.others


def run_work(
    plan: Sequence[NodeSpec], groups: Sequence[ProcessGroup], period: float, recorded: bool
) -> list[Work]:
    """Return the work of each process in a control period; the last process observes.

    Args:
        plan: The nodes of the run.
        groups: Which of them share a process.
        period: Control period [s].
        recorded: Whether a bag is recorded.
    """
    numbers = [k for group in groups for k in group.numbers]
    whole = _counts(plan, numbers)
    parts = [_counts(plan, group.numbers) for group in groups]
    receiving = sum(bool(part.members) for part in parts)
    messages = sum(part.messages for part in parts)
    observing = Work(
        lifetime=period, process=1, watched=whole.agents, recorded=whole.agents * recorded
    )
    work = [_work(part, whole, receiving, messages)._replace(lifetime=period) for part in parts]
    return [*work, observing]


def _work(part: _Counts, whole: _Counts, receiving: int, messages: int) -> Work:
    """Return the work of the process with some nodes.

    Args:
        part: Its nodes.
        whole: All nodes.
        receiving: How many processes have members.
        messages: How many messages with states all of them send.
    """
    states_out = part.messages * (receiving - bool(part.members))
    states_in = (messages - part.messages) * bool(part.members)
    distant = whole.members - part.members if part.worlds else part.members
    compiled = part.agents if part.agents >= MANY_AGENTS else 0
    with_vehicles = 2 * distant * bool(whole.worlds)  # odometry and commands
    return Work(
        process=1,
        member=part.members - compiled,
        compiled=compiled,
        received=bool(part.agents) * (whole.agents + 1) + part.others * whole.agents,
        vehicle=whole.members * part.worlds,
        crossing=states_out + states_in + with_vehicles,
    )


def _counts(plan: Sequence[NodeSpec], numbers: Sequence[int]) -> _Counts:
    names = [plan[k].executable for k in numbers]
    agents, worlds = names.count('agent_node'), names.count('world_node')
    return _Counts(agents, len(names) - agents - worlds, worlds)
