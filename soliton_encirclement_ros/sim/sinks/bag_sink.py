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

import numpy as np
from numpy.typing import NDArray

from soliton_encirclement_ros.controllers import recorded_names
from soliton_encirclement_ros.core.rosbag.bag_writer import BagWriter
from soliton_encirclement_ros.core.scenario.scenario import Scenario
from soliton_encirclement_ros.core.states.fleet_names import ROOT
from soliton_encirclement_ros.sim.allocation import has_attitudes
from soliton_encirclement_ros.sim.chunk import AGENT_COLUMNS, Chunk
from soliton_encirclement_ros.sim.kernel.columns import MEASURED_AGE
from soliton_encirclement_ros.sim.sinks.bag_messages import BagMessages
from soliton_encirclement_ros.sim.sinks.topic_sources import TopicSource, topic_sources

DEPTH = 1000
"""Queue length that the recorder asks for."""

BLOCK = 4096
"""Rows of agents that are serialized at once."""

NEVER = -1
"""Time [ns] before all measurements."""

FAILED, SEQ = AGENT_COLUMNS.index('failed'), AGENT_COLUMNS.index('seq')


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
        self._topics: dict[str, Any] = {}
        law = recorded_names(
            scenario.control.controller, scenario.is_filtered, scenario.is_estimated
        )
        messages, ids = BagMessages(self._bag.types), scenario.agent_ids
        self._voices: list[tuple[Any, TopicSource]] = [
            (self._topic(voice), voice)
            for voice in topic_sources(
                messages,
                ids,
                law,
                scenario.adversary.adversary_enable,
                has_attitudes(scenario),
                scenario.is_filtered,
                scenario.is_sensed,
            )
        ]
        self._scenario = scenario
        self._measured_ns = np.full(len(scenario.members), NEVER)
        self._block = max(1, BLOCK // max(1, len(ids)))
        self._seq = np.zeros((1, len(ids)))

    def write(self, chunk: Chunk) -> None:
        """Append the messages of some samples."""
        for start in range(0, len(chunk.times), self._block):
            end = start + self._block
            self._write(Chunk(*(column[start:end] for column in chunk)))

    def close(self) -> None:
        """Write index and metadata."""
        self._bag.close()

    def _topic(self, voice: TopicSource) -> Any:
        if voice.topic not in self._topics:
            self._topics[voice.topic] = self._bag.add_topic(
                ROOT.full_name(voice.topic), voice.kind, reliable=True, latched=False, depth=DEPTH
            )
        return self._topics[voice.topic]

    def _write(self, chunk: Chunk) -> None:
        stamps = np.rint(chunk.times * 1e9).astype(np.int64)
        sends, always = self._sends(chunk), [True] * len(stamps)
        printed = []
        for topic, voice in self._voices:
            when, sent = stamps, always
            if voice.agent is not None:
                sent = sends[:, voice.agent].tolist()
            elif voice.measured is not None:
                when, sent = self._measured(chunk, voice.measured)
            messages = voice.stencil.print(when, voice.numbers(chunk))
            printed.append((topic, when.tolist(), messages, sent))
        for i in range(len(stamps)):
            for topic, when, messages, sent in printed:
                if sent[i]:
                    self._bag.write(topic, when[i], messages[i])

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

    def _sends(self, chunk: Chunk) -> NDArray[np.bool_]:
        """Return at which samples each agent sent a state, (S, N).

        One that came back at this very tick is up, but has not sent yet: its state is an old one.
        """
        seq = np.vstack([self._seq, chunk.agents[:, :, SEQ]])
        self._seq = seq[-1:]
        return (chunk.agents[:, :, FAILED] == 0.0) & (seq[1:] != seq[:-1])
