"""The messages of a chunk, as the members of a swarm publish them."""

from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from soliton_encirclement_ros.controllers import recorded_names
from soliton_encirclement_ros.core.scenario.scenario import Scenario
from soliton_encirclement_ros.sim.allocation import has_attitudes
from soliton_encirclement_ros.sim.chunk import Chunk
from soliton_encirclement_ros.sim.kernel.observation import MEASURED_AGE
from soliton_encirclement_ros.sim.sinks.bag_messages import BagMessages
from soliton_encirclement_ros.sim.sinks.sent_states import Senders
from soliton_encirclement_ros.sim.sinks.topic_sources import TopicSource, topic_sources

NEVER = -1
"""Time [ns] before all measurements."""


class Printed(NamedTuple):
    """The messages of one source, a message per sample.

    Attributes:
        source: Index of the source.
        stamps_ns: Their stamps [ns].
        messages: The messages, serialized.
        sent: Which of them are sent.
    """

    source: int
    stamps_ns: list[int]
    messages: list[bytes]
    sent: list[bool]


class ChunkMessages:
    """Prints the messages of chunks, in order of time."""

    def __init__(self, scenario: Scenario, types: Any) -> None:
        """Find the sources of a scenario; ``types`` is a typestore of rosbags."""
        law = recorded_names(
            scenario.control.controller, scenario.is_filtered, scenario.is_estimated
        )
        self.sources: list[TopicSource] = [
            *topic_sources(
                BagMessages(types),
                scenario.agent_ids,
                law,
                scenario.adversary.adversary_enable,
                has_attitudes(scenario),
                scenario.is_filtered,
                scenario.is_sensed,
            )
        ]
        self._scenario = scenario
        self._measured_ns = np.full(len(scenario.members), NEVER)
        self._senders = Senders(len(scenario.agent_ids))

    def print(
        self, chunk: Chunk, begun_ns: int = 0, wanted: Iterable[int] | None = None
    ) -> list[Printed]:
        """Return the messages of some samples.

        Args:
            chunk: The samples, of which none has been printed before.
            begun_ns: When the time of the flight begins [ns].
            wanted: Indices of the sources; None: all of them.
        """
        stamps = np.rint(chunk.times * 1e9).astype(np.int64)
        sends, always = self._senders.see(chunk), [True] * len(stamps)
        printed = []
        for index in range(len(self.sources)) if wanted is None else wanted:
            source, when, sent = self.sources[index], stamps, always
            if source.agent is not None:
                sent = sends[:, source.agent].tolist()
            elif source.measured is not None:
                when, sent = self._measured(chunk, source.measured)
            when = when + begun_ns
            messages = source.stencil.print(when, source.numbers(chunk))
            printed.append(Printed(index, when.tolist(), messages, sent))
        return printed

    def _measured(self, chunk: Chunk, member: int) -> tuple[NDArray[np.int64], list[bool]]:
        """Return when a member measured what it knows at some samples [ns], and if it is new."""
        flown = self._scenario
        ticks = np.rint(chunk.times / flown.swarm.control_period)
        ages = np.rint(chunk.truth[:, member, MEASURED_AGE] / flown.mobility.update_rate)
        updates = (ticks * flown.substeps - ages).astype(np.int64)
        when = np.array([*map(flown.update_ns, updates.tolist())], np.int64)
        known = np.concatenate([self._measured_ns[member : member + 1], when])
        self._measured_ns[member] = known[-1]
        return when, (np.diff(known) != 0).tolist()
