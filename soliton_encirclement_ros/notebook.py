"""Flights in Python and notebooks: ``load`` reads a run or a bag into frames of pandas."""

import warnings
from functools import cached_property
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from soliton_encirclement_ros.analysis.bag.bag_reader import read_recording
from soliton_encirclement_ros.analysis.bag.topic_map import load_topic_map
from soliton_encirclement_ros.analysis.findings import as_json, default_settings, find
from soliton_encirclement_ros.analysis.flight_window import between, longest_flight
from soliton_encirclement_ros.analysis.recording import Recording
from soliton_encirclement_ros.analysis.recording_tables import tables_of
from soliton_encirclement_ros.analysis.table_files import frame_of
from soliton_encirclement_ros.sim.simulation import can_fly_again, difference, flight_again

if TYPE_CHECKING:
    import pandas as pd


class Flight:
    """A flight as ``swarm report`` evaluates it.

    Attributes:
        recording: What the bag holds, in arrays.
        findings: The figures of ``findings.json``.
    """

    def __init__(
        self, recording: Recording, target: str | tuple[float, float, float] | None = None,
        radius: float | None = None,
    ) -> None:  # fmt: skip
        """Evaluate a recording.

        Args:
            recording: The recording.
            target: Name of a member, or a fixed point [m, map]; None for the target.
            radius: Desired radius [m]; None for that of the scenario, else an estimate.

        Raises:
            RunError: There is no such member.
        """
        self.recording = recording
        self._findings = find(recording, default_settings(recording, target, radius))
        self.findings: dict[str, Any] = as_json(self._findings)

    @cached_property
    def frames(self) -> 'dict[str, pd.DataFrame]':
        """All frames by name: those below.

        ``frame.attrs`` has ``units`` and ``meanings`` of its columns.
        """
        tables = tables_of(self._findings)
        return {table.name: frame_of(table) for table in tables}

    @property
    def agents(self) -> 'pd.DataFrame':
        """A row per agent and sample of its odometry: position, velocity, health, its law."""
        return self.frames['agents']

    @property
    def target(self) -> 'pd.DataFrame':
        """The same for target and adversary."""
        return self.frames['target']

    @property
    def commands(self) -> 'pd.DataFrame':
        """A row per command of any member."""
        return self.frames['commands']

    @property
    def metrics(self) -> 'pd.DataFrame':
        """A row per sample: E_r, E_gap and the others."""
        return self.frames['metrics']

    @property
    def events(self) -> 'pd.DataFrame':
        """A row per failure, recovery, collision, alarm and change of a parameter."""
        return self.frames['events']


def load(
    path: Path | str,
    *,
    names: Path | str | None = None,
    target: str | tuple[float, float, float] | None = None,
    radius: float | None = None,
    window: tuple[float, float] | None = None,
    flight: int | None = None,
    namespace: str | None = None,
) -> Flight:
    """Load a run folder or a bag of any tool.

    A run of ``swarm simulate`` without a bag is flown again by its manifest.

    Args:
        path: A run's folder, a rosbag2 folder, or a ``.mcap`` or ``.db3`` file.
        names: YAML file that maps topics to members, as of ``swarm report --map``.
        target: Name of a member that the agents surround, or a fixed point [m, map].
        radius: Desired radius [m]; None for that of the scenario, else an estimate.
        window: Begin and end of the evaluated part [s]; None for the whole flight.
        flight: Number of one of several simulated flights, from 1; None for the last.
        namespace: That of the fleet, where a bag holds several; None for the first.

    Raises:
        RunError: Nothing can be read or flown; there is no such file, member or part.
        ScenarioError: What a run without a bag flew is not known.
    """
    path, naming = Path(path), None if names is None else load_topic_map(Path(names))
    with TemporaryDirectory() as temporary:
        bag = path
        if can_fly_again(path):
            bag = Path(temporary, path.resolve().name)
            if differs := difference(path, flight_again(path, bag).fly()):
                warnings.warn(differs, stacklevel=2)
        recording = read_recording(bag, naming, None, flight, namespace)._replace(path=path)
    part = longest_flight(recording) if window is None else between(recording, *window)
    return Flight(part, target, radius)
