"""The tests against the original take whatever flights a reference folder holds."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from soliton_encirclement_ros.core.states.swarm_topics import ADVERSARY, TARGET, uav
from support.original import REFERENCE, Watched, overridden
from support.ready import NO_HURRY
from support.reference import reference_folder

pytestmark = [pytest.mark.nightly, NO_HURRY]

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


@pytest.fixture(scope='module')
def found(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Return what pytest says of the tests against some flights, in a reference folder.

    A renamed flight of the original, two of another seed, number and layer, and one of these with
    a position a millimetre off.
    """
    folder = tmp_path_factory.mktemp('reference') / 'e2e'
    folder.mkdir()
    there = reference_folder()
    if there is not None:
        first = sorted((there / 'e2e').glob('v1_*.json'))[0]
        shutil.copy(first, folder / 'v1_renamed.json')
    for name, given in (('v3_moving', SMALL), ('v3_still', SMALL | STILL)):
        (folder / f'{name}.json').write_text(json.dumps(flown(given)))
    run = flown(SMALL | STILL)
    place = run['positions'][5][3]
    run['positions'][5][3] = list(np.add(place, 1e-3))
    (folder / 'v3_off.json').write_text(json.dumps(run))
    return outcome(folder)


def outcome(folder: Path) -> str:
    """Run the tests against the flights of a folder; return the last lines of pytest."""
    command = [sys.executable, '-m', 'pytest', '-q', '-rA', '-p', 'no:cacheprovider', '-m', '',
               *TESTS, '-k', 'not golden and not instant and not engine']  # fmt: skip
    every_test = {'SWARM_NIGHTLY_PART': '0/1'}  # whichever part of them runs around this one
    environment = {**os.environ, **every_test, 'SWARM_REFERENCE_DIR': str(folder.parent)}
    done = subprocess.run(
        command, env=environment, capture_output=True, text=True, cwd=THERE.parents[1]
    )
    return done.stdout[-3000:]


def count(found: str, word: str, *flights: str) -> int:
    """Return how many tests passed or failed with some flights."""
    return sum(
        line.startswith(word) and any(f'{flight}.json]' in line for flight in flights)
        for line in found.splitlines()
    )


@pytest.mark.nightly
def test_flights_of_other_names_and_seeds_are_taken(found: str) -> None:
    """Each by both tests."""
    passed = 4 if reference_folder() is None else 6
    assert count(found, 'PASSED', 'v1_renamed', 'v3_moving', 'v3_still') == passed, found
    assert f'1 failed, {passed + 1} passed' in found, found


def test_a_flight_that_is_not_ours_fails(found: str) -> None:
    """One position a millimetre off is noticed."""
    assert count(found, 'FAILED', 'v3_off') == count(found, 'PASSED', 'v3_off') == 1, found


def test_an_unknown_constant_is_named() -> None:
    """A flight that asks for what nobody reads is not flown without it."""
    with pytest.raises(KeyError, match='WIND_SPEED'):
        overridden({**SMALL, 'WIND_SPEED': 3.0})
