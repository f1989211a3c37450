"""The tests against the original take whatever flights a reference folder holds."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from soliton_encirclement_ros.core.topics import ADVERSARY, TARGET, uav
from support.original import REFERENCE, Watched, overridden
from support.ready import NO_HURRY
from support.reference import reference_folder

pytestmark = NO_HURRY

THERE = Path(__file__).parent
TESTS = [str(THERE / name) for name in ('test_original_flights.py', 'test_parity.py')]
SMALL = {'SIM_DURATION': 12, 'NUM_AGENTS': 4, 'method': 'advection', 'k_prop': 1.5,
         'mode': 'blend', 'seed': 41}  # fmt: skip
STILL = {'TARGET_MOTION_SPEED_XY': 0.0, 'ADVERSARY_ROAM_SPEED_XY': 0.0, 'FAILURE_ENABLE': False}


def flown(overrides: dict[str, Any]) -> dict[str, Any]:
    """Return a flight in the form of the reference, which has zeros where nobody is heard."""
    scenario = overridden(overrides, overrides['seed']).with_changes(REFERENCE, 'test')
    loop = Watched(scenario)
    agents = [uav(k) for k in scenario.agent_ids]
    nodes, rows = [TARGET, ADVERSARY, *agents], []
    starts = [loop.world.pose(name).position for name in agents]
    period = scenario.swarm.control_period

    def note() -> None:
        places = [[round(x, 6) for x in loop.world.pose(n).position[:2]] for n in nodes]
        rows.append([round((len(rows) + 1) * period, 6), *places])

    loop.fly(each_tick=note)
    return {
        'overrides': overrides, 'control_period': period, 'initial_agent_positions': starts,
        'columns': ['timestamp', 'E_r', 'E_vr', 'rho', 'G_max', 'E_gap'],
        'metrics': np.nan_to_num(np.array(loop.rows)).tolist(), 'positions': rows[9::10],
    }  # fmt: skip


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Path]:
    """Return an empty folder for flights, which later is a reference folder."""
    (tmp_path / 'e2e').mkdir()
    return tmp_path / 'e2e'


def outcome(folder: Path) -> str:
    """Run the tests against the flights of a folder; return the last lines of pytest."""
    command = [sys.executable, '-m', 'pytest', '-q', '-p', 'no:cacheprovider', *TESTS,
               '-k', 'not golden and not instant and not engine']  # fmt: skip
    environment = {**os.environ, 'SWARM_REFERENCE_DIR': str(folder.parent)}
    done = subprocess.run(
        command, env=environment, capture_output=True, text=True, cwd=THERE.parents[1]
    )
    return done.stdout[-2000:]


def test_flights_of_other_names_and_seeds_are_taken(folder: Path) -> None:
    """A renamed flight of the original, and two of another seed, number and layer."""
    there = reference_folder()
    if there is not None:
        first = sorted((there / 'e2e').glob('v1_*.json'))[0]
        shutil.copy(first, folder / 'v1_renamed.json')
    for name, given in (('v3_moving', SMALL), ('v3_still', SMALL | STILL)):
        (folder / f'{name}.json').write_text(json.dumps(flown(given)))
    found = outcome(folder)
    passed = 4 if there is None else 6
    assert f'{passed} passed' in found, found


def test_a_flight_that_is_not_ours_fails(folder: Path) -> None:
    """One position a millimetre off is noticed."""
    run = flown(SMALL | STILL)
    place = run['positions'][5][3]
    run['positions'][5][3] = list(np.add(place, 1e-3))
    (folder / 'v3_off.json').write_text(json.dumps(run))
    found = outcome(folder)
    assert '1 failed, 1 passed' in found, found


def test_an_unknown_constant_is_named() -> None:
    """A flight that asks for what nobody reads is not flown without it."""
    with pytest.raises(KeyError, match='WIND_SPEED'):
        overridden({**SMALL, 'WIND_SPEED': 3.0})


