"""The bag of a run, as the recorder leaves one in lockstep, written without ROS.

It holds the clock, every body's odometry and, where it differs, its true motion, what everybody
sent, the agents' commands, telemetry and metrics; every message is logged at its stamp. A chunk
lacks some of what is recorded: commands of target and adversary, diagnostics, markers, and the
fields of a propagation layer and of a relayed report in the names of agents. Nor is there the
empty answer by which an agent that is down keeps a lockstep going.
"""

import errno
import os
from pathlib import Path
from typing import Any

from soliton_encirclement_ros.core.bag_writer import BagWriter
from soliton_encirclement_ros.core.scenario.scenario import Scenario
from soliton_encirclement_ros.core.states.swarm_topics import ROOT
from soliton_encirclement_ros.sim.chunk import Chunk
from soliton_encirclement_ros.sim.sinks.chunk_messages import ChunkMessages, TopicSource

DEPTH = 1000
"""Queue length that the recorder asks for."""

BLOCK = 4096
"""Rows of agents that are serialized at once."""


class BagSink:
    """A rosbag2 bag in mcap."""

    def __init__(self, folder: Path, scenario: Scenario) -> None:
        """Create the bag.

        Args:
            folder: The bag's folder, which must not exist.
            scenario: What is flown.
        """
        if folder.exists():
            raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST))
        self._bag = BagWriter(folder)
        self._messages = ChunkMessages(scenario)
        self._topics: dict[str, Any] = {}
        self._connections = [self._topic(source) for source in self._messages.sources]
        self._block = max(1, BLOCK // max(1, scenario.run.num_agents))

    def write(self, chunk: Chunk) -> None:
        """Append the messages of some samples."""
        for start in range(0, len(chunk.times), self._block):
            end = start + self._block
            self._write(Chunk(*(column[start:end] for column in chunk)))

    def close(self) -> None:
        """Write index and metadata."""
        self._bag.close()

    def _topic(self, source: TopicSource) -> Any:
        if source.topic not in self._topics:
            topic = ROOT.full_name(source.topic)
            self._topics[source.topic] = self._bag.add_topic(
                topic, source.kind, reliable=True, latched=False, depth=DEPTH
            )
        return self._topics[source.topic]

    def _write(self, chunk: Chunk) -> None:
        serialized = self._messages.serialize(chunk)
        for i in range(len(chunk.times)):
            for source, when, messages, sent in serialized:
                if sent[i]:
                    self._bag.write(self._connections[source], when[i], messages[i])
