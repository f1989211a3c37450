"""One flight in frames of pandas: ``load`` reads a run or a bag, of this package or any tool."""

import warnings
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from soliton_encirclement_ros.analysis.bag.bag_reader import read_recording
from soliton_encirclement_ros.analysis.bag.topic_map import load_topic_map
from soliton_encirclement_ros.analysis.findings import as_json, default_settings, find
from soliton_encirclement_ros.analysis.flight_window import between, longest_flight
from soliton_encirclement_ros.analysis.logs.log_files import read_flight
from soliton_encirclement_ros.analysis.recording import Recording
from soliton_encirclement_ros.analysis.recording_tables import tables_of
from soliton_encirclement_ros.analysis.table_files import frame_of
from soliton_encirclement_ros.core.run.finished_run import verdict_line
from soliton_encirclement_ros.sim.simulation import can_fly_again, difference, flight_again

if TYPE_CHECKING:
    import pandas as pd

    from soliton_encirclement_ros.analysis.plots.run_plots import Picture

Target = str | tuple[float, float, float] | None
"""Name of a member that the agents surround, or a fixed point [m, map]; None for the target."""


class Frames(ABC):
    """Frames of pandas by name, and each as an attribute.

    ``frame.attrs`` has ``units`` and ``meanings`` of its columns.
    """

    @property
    @abstractmethod
    def frames(self) -> 'dict[str, pd.DataFrame]':
        """All frames by name: those below."""

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


class Flight(Frames):
    """A flight as ``swarm report`` evaluates it; it is read when its data are first asked for.

    Attributes:
        path: Its run folder or bag.

    Example:
        >>> flight = load('runs/latest')
        >>> flight.encircled
        True
        >>> flight.agents.groupby('name').velocity_norm.max()
    """

    def __init__(
        self, path: Path, read: Callable[[], Recording], target: Target = None,
        radius: float | None = None, summary: Mapping[str, Any] | None = None,
    ) -> None:  # fmt: skip
        """Read nothing yet.

        Args:
            path: The run folder or bag.
            read: Returns the recording.
            target: What the agents surround.
            radius: Desired radius [m]; None for that of the scenario, else an estimate.
            summary: ``summary.json``, if it is known before.
        """
        self.path = path
        self._read, self._settings, self._summary = read, (target, radius), summary

    @cached_property
    def recording(self) -> Recording:
        """What the bag holds, in arrays."""
        return self._read()

    @cached_property
    def _findings(self) -> Any:
        return find(self.recording, default_settings(self.recording, *self._settings))

    @cached_property
    def findings(self) -> dict[str, Any]:
        """The figures of ``findings.json``."""
        return as_json(self._findings)

    @cached_property
    def frames(self) -> 'dict[str, pd.DataFrame]':
        """All frames by name."""
        return {table.name: frame_of(table) for table in tables_of(self._findings)}

    @property
    def summary(self) -> Mapping[str, Any]:
        """The figures of ``summary.json``, by name."""
        return self._findings.summary if self._summary is None else self._summary

    @property
    def encircled(self) -> bool | None:
        """Whether the swarm encircled its target; None without a target."""
        return self.summary['verdict']['encircled']

    @property
    def verdict(self) -> str:
        """The verdict and its reason, in one line."""
        is_judged = self.encircled is not None
        return verdict_line(self.summary) if is_judged else self.summary['verdict']['why']

    def plot(self) -> 'Picture':
        """Return the picture of the flight: from above at its end, and its metrics over time.

        A notebook shows it; ``savefig`` writes it to a file.

        Example:
            >>> load('runs/latest').plot().savefig('flight.png')
        """
        from soliton_encirclement_ros.analysis.plots.run_plots import overview

        return overview(self._findings.settings.scenario, self._findings.observer)

    def __repr__(self) -> str:
        """Say what was flown, and how it ended."""
        return f'<{type(self).__name__} {self.path}: {self.verdict}>'


def load(
    path: Path | str | Sequence[Path | str],
    *,
    names: Path | str | None = None,
    target: Target = None,
    radius: float | None = None,
    window: tuple[float, float] | None = None,
    flight: int | None = None,
    namespace: str | None = None,
) -> Flight:
    """Load a run folder, a bag of any tool, or logs of autopilots; several are one flight.

    A run of ``swarm simulate`` without a bag is flown again by its manifest.

    Args:
        path: A run's folder, a rosbag2 folder, a ``.mcap``, ``.db3`` or ``.bag`` file, a ``.ulg``,
            ``.bin`` or ``.tlog``, or a folder of these; or several of them.
        names: YAML file that maps topics to members, as of ``swarm report --map``.
        target: Name of a member that the agents surround, or a fixed point [m, map].
        radius: Desired radius [m]; None for that of the scenario, else an estimate.
        window: Begin and end of the evaluated part [s]; None for the whole flight.
        flight: Number of one of several simulated flights, from 1; None for the last.
        namespace: That of the fleet, where a bag holds several; None for the first.

    Raises:
        RunError: Nothing can be read or flown; there is no such file, member or part.
        ScenarioError: What a run without a bag flew is not known.

    Example:
        >>> load('runs/latest').metrics.E_gap.mean()
    """
    paths = [Path(path)] if isinstance(path, (str, Path)) else [*map(Path, path)]
    naming = None if names is None else load_topic_map(Path(names))

    def read_bag(path: Path) -> Recording:
        with TemporaryDirectory() as temporary:
            bag = path
            if can_fly_again(path):
                bag = Path(temporary, path.resolve().name)
                if differs := difference(path, flight_again(path, bag).fly()):
                    warnings.warn(differs, stacklevel=4)
            return read_recording(bag, naming, None, flight, namespace)._replace(path=path)

    recording = read_flight(paths, read_bag)
    part = longest_flight(recording) if window is None else between(recording, *window)
    flight_of_part = Flight(paths[0], lambda: part, target, radius)
    flight_of_part._findings  # noqa: B018 - what is wrong with the arguments is said here
    return flight_of_part
