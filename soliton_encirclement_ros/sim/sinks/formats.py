"""The formats by name. A format's library is loaded only where the format is wanted."""

from collections.abc import Callable, Iterable
from pathlib import Path

from soliton_encirclement_ros.core.errors import RunError
from soliton_encirclement_ros.core.run.run_folder import BAG
from soliton_encirclement_ros.core.scenario.scenario import Scenario
from soliton_encirclement_ros.sim.sinks.fault_tolerant_sink import FaultTolerantSink
from soliton_encirclement_ros.sim.sinks.sink import Sink


def _csv(folder: Path, scenario: Scenario) -> Sink:
    from soliton_encirclement_ros.sim.sinks.csv_sink import CsvSink

    return CsvSink(folder, scenario)


def _parquet(folder: Path, scenario: Scenario) -> Sink:
    from soliton_encirclement_ros.sim.sinks.parquet_sink import ParquetSink

    return ParquetSink(folder, scenario)


def _bag(folder: Path, scenario: Scenario) -> Sink:
    from soliton_encirclement_ros.sim.sinks.bag_sink import BagSink

    return BagSink(folder / BAG, scenario)


FORMATS: dict[str, Callable[[Path, Scenario], Sink]] = {
    'csv': _csv,
    'parquet': _parquet,
    'bag': _bag,
}

PLACES = {'bag': BAG}
"""What of the run's folder an error names, if not the folder itself."""


def make_sinks(
    formats: Iterable[str], folder: Path, scenario: Scenario
) -> list[FaultTolerantSink]:
    """Return the sinks of a flight, one for each format.

    Args:
        formats: Names of ``FORMATS``; a name that is repeated counts once.
        folder: The run's folder, which exists.
        scenario: What will be flown.

    Raises:
        RunError: There is no such format.
    """
    wanted = list(dict.fromkeys(formats))
    for name in wanted:
        if name not in FORMATS:
            raise RunError(f'format {name[:40]!r}: must be one of {", ".join(FORMATS)}')
    return [_make_sink(name, folder, scenario) for name in wanted]


def _make_sink(name: str, folder: Path, scenario: Scenario) -> FaultTolerantSink:
    return FaultTolerantSink(
        lambda: FORMATS[name](folder, scenario), folder / PLACES.get(name, '')
    )
