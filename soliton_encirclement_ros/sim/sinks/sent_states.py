"""The states that agents sent at the samples of a chunk."""

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from soliton_encirclement_ros.core.states.states import AgentState
from soliton_encirclement_ros.sim.chunk import AGENT_COLUMNS, Chunk
from soliton_encirclement_ros.sim.kernel.observation import MEASURED_AGE, TOLD_ID
from soliton_encirclement_ros.sim.sinks.bag_messages import agent_state
from soliton_encirclement_ros.sim.sinks.topic_sources import OF_SILENT, STATE_COLUMNS

FAILED, SEQ = AGENT_COLUMNS.index('failed'), AGENT_COLUMNS.index('seq')


class Senders:
    """Which agents sent a state at which sample."""

    def __init__(self, agents: int) -> None:
        """Nobody has sent anything yet."""
        self._seq = np.zeros((1, agents))

    def see(self, chunk: Chunk) -> NDArray[np.bool_]:
        """Return at which samples each agent sent a state, (S, N).

        One that came back at this very tick is up, but has not sent yet: its state is an old one.
        """
        seq = np.vstack([self._seq, chunk.agents[:, :, SEQ]])
        self._seq = seq[-1:]
        return (chunk.agents[:, :, FAILED] == 0.0) & (seq[1:] != seq[:-1])


class SentStates:
    """Reads states from chunks, in order of time."""

    def __init__(self, agent_ids: Sequence[int]) -> None:
        """Begin; ``agent_ids`` are the numbers of the agents, in order."""
        self._ids = agent_ids
        self._senders = Senders(len(agent_ids))

    def see(self, chunk: Chunk) -> Iterator[list[AgentState]]:
        """Iterate over the samples: the states that agents sent at each."""
        sends = self._senders.see(chunk)
        for s in range(len(chunk.times)):
            yield self._states(chunk, s, np.flatnonzero(sends[s]))

    def _states(self, chunk: Chunk, s: int, senders: NDArray[np.intp]) -> list[AgentState]:
        numbers, aged = chunk.agents[s][np.ix_(senders, STATE_COLUMNS)], len(chunk.truth) > 0
        if aged:
            numbers = np.hstack([numbers, chunk.truth[s, senders, MEASURED_AGE, np.newaxis]])
        silent = self._silent(chunk, s, senders)
        return [
            agent_state(self._ids[i], [*row, *values], named, aged)
            for i, row, (named, values) in zip(
                senders.tolist(), numbers.tolist(), silent, strict=True
            )
        ]

    def _silent(
        self, chunk: Chunk, s: int, senders: NDArray[np.intp]
    ) -> list[tuple[list[int], list[float]]]:
        """Return whom each sender tells of, and their numbers, one after the other."""
        if not len(chunk.told):
            return [([], [])] * len(senders)
        told = chunk.told[s, senders]
        found = []
        for rows, named in zip(told, told[:, :, TOLD_ID].astype(int), strict=True):
            there = named >= 0
            if not there.any():
                found.append(([], []))
                continue
            ids = [self._ids[j] for j in named[there].tolist()]
            found.append((ids, rows[there][:, OF_SILENT].ravel().tolist()))
        return found
