"""Flights on a cluster, seen from the client; ``cli/test_sweep_cluster.py`` has real ones."""

from types import SimpleNamespace
from typing import Any

from soliton_encirclement_ros.sim.sweeps.cluster import _Flights
from soliton_encirclement_ros.sim.sweeps.sweep_file import PlannedRun


class Deaf:
    """A client whose scheduler has gone."""

    status = 'running'

    def submit(self, *_: Any, **__: Any) -> Any:
        """Take a batch that never ends."""
        return SimpleNamespace(key='batch', add_done_callback=lambda _: None)

    def cancel(self, _: Any) -> None:
        """Refuse."""
        raise OSError('Timed out during handshake')


class Impatient:
    """A desk whose user has pressed ctrl-C; it keeps what it is told."""

    def __init__(self) -> None:
        """Have heard nothing."""
        self.told: list[str] = []

    def note(self, line: str) -> None:
        """Keep a line."""
        self.told.append(line)

    def take(self, _: Any) -> None:
        """Nothing ever comes."""

    def turn(self) -> bool:
        """Have enough."""
        return False


def test_a_cluster_that_cannot_be_told_to_stop_is_told_of() -> None:
    desk = Impatient()
    run: PlannedRun = SimpleNamespace(key='one', scenario=None)
    _Flights(Deaf(), 'tcp://a:1', desk, {'worker': 1}).fly([run])
    assert desk.told == [
        'running tasks could not be cancelled (OSError: Timed out during handshake): the workers '
        'finish them, and their results are discarded'
    ]
