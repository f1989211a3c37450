"""``swarm report`` over a bag that knows nothing of this package: drones around a car."""

from functools import partial
from pathlib import Path

import numpy as np
import pytest
from matplotlib.axes import Axes

from support.here import swarm_here
from support.recorded.bags import Raw, Scribe, write_bag
from support.recorded.run_folder import PICTURES, read_json

__all__ = ['swarm_here']

NS = 1_780_000_000 * 10**9
DRONES = 'mavic_a', 'mavic_b', 'mavic_c'


@pytest.fixture
def bag(tmp_path: Path) -> Path:
    """Return 20 s of three drones at heights of their own, one silent from 8 to 12 s."""
    scribe, messages = Scribe(), []
    for k in range(400):
        at, t = NS + k * 50_000_000, 0.05 * k
        places = {'ugv': (0.0, 0.0, 0.0)}
        for i, name in enumerate(DRONES):
            angle = 0.2 * t + 2 * np.pi * i / 3
            if name != 'mavic_b' or not 8.0 <= t < 12.0:
                places[name] = (8 * np.cos(angle), 8 * np.sin(angle), 10.0 + i)
        for name, place in places.items():
            data = scribe.odometry(at, place, (0.0, 0.0, 0.0), child='map')
            messages.append(Raw(f'/{name}/odom', 'nav_msgs/msg/Odometry', at, data))
    return write_bag(tmp_path / 'flight', messages)


@pytest.fixture
def labels(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return the names that are written into pictures."""
    found: list[str] = []
    write = Axes.annotate

    def written(axes: Axes, text: str, *args: object, **how: object) -> object:
        found.append(text)
        return write(axes, text, *args, **how)

    monkeypatch.setattr(Axes, 'annotate', written)
    return found


def test_a_ring_is_judged_with_its_outage_and_drawn_with_its_names(
    swarm_here, bag: Path, labels: list[str]
) -> None:
    report = partial(swarm_here, 'report', bag, '--no-page')
    code, out, err = report('--target', 'ugv')
    assert (code, err) == (0, '')
    assert 'ENCIRCLED' in out and 'mavic_b silent' in out
    assert 'problem: mavic_b: silent from 8.00 to 12.00 s: an outage' in out
    folder = bag.with_name('flight-report')
    drawn = {*PICTURES, 'findings.json'}
    assert {path.name for path in folder.iterdir()} == drawn
    assert {*DRONES, 'ugv'} == set(labels)
    found = read_json(folder / 'findings.json')
    assert [(one['time_s'], one['agent'], one['failed']) for one in found['events']] == [
        (pytest.approx(8.0), 'mavic_b', True), (pytest.approx(12.0), 'mavic_b', False)
    ]  # fmt: skip
    assert found['started'].startswith('2026-05-28T20:26:40')


def test_without_a_target_its_paths_are_drawn_and_candidates_named(
    swarm_here, bag: Path, labels: list[str]
) -> None:
    code, out, err = swarm_here('report', bag, '--no-page')
    assert (code, err) == (0, '')
    assert 'NO VERDICT' in out and 'name one of mavic_a, mavic_b, mavic_c, ugv' in out
    names = {path.name for path in bag.with_name('flight-report').iterdir()}
    assert names == {'overview.png', 'findings.json'}
    assert {*DRONES, 'ugv'} == set(labels)


def test_an_unknown_target_names_those_that_there_are(swarm_here, bag: Path) -> None:
    code, _, err = swarm_here('report', bag, '--target', 'mavic')
    assert code == 2 and 'name one of mavic_a, mavic_b, mavic_c, ugv, or a point X,Y' in err
