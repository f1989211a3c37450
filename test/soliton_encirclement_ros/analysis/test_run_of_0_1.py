"""A run that version 0.1 has recorded, under the names of then, is read for good.

``run_of_0_1.zip`` is what ``swarm run unseen_target --agents 2 --duration 0.3`` left then:
manifest, summary, and eight topics of its bag.
"""

import json
import zipfile
from pathlib import Path

import pytest

from soliton_encirclement_ros import load
from soliton_encirclement_ros.analysis.bag.decoding.node_reports import value_of
from soliton_encirclement_ros.core.run.finished_run import read_run
from soliton_encirclement_ros.core.run.scenario_differences import differences
from soliton_encirclement_ros.core.scenario.overrides import requested_scenario
from soliton_encirclement_ros.sim.simulation import flown_scenario

OPTIONS = {
    'run': {'num_agents': 2, 'sim_duration': 0.3}, 'failure': {'failure_enable': False},
    'adversary': {'adversary_enable': False},
}  # fmt: skip

ADDED_SINCE = {
    f'safety.{name}' for name in (
        'neighbour_checks', 'neighbour_position_tolerance', 'neighbour_velocity_tolerance',
        'neighbour_forgive_time', 'roster_size',
    )
}  # fmt: skip


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    with zipfile.ZipFile(Path(__file__).with_name('run_of_0_1.zip')) as archive:
        archive.extractall(tmp_path)
    values = json.loads((tmp_path / 'manifest.json').read_text())['scenario']
    assert values['sight']['cooperative'] is False and 'silent_run_on' in values['safety']
    return tmp_path


def test_its_scenario_is_that_of_today_without_a_line(folder: Path) -> None:
    today = requested_scenario('unseen_target', [], '', OPTIONS)
    assert {*differences(read_run(folder).scenario, today.as_dict())} == ADDED_SINCE
    again = flown_scenario(folder)
    assert again == today and again.warnings == today.warnings


def test_its_bag_is_judged_as_then(folder: Path) -> None:
    then, now = json.loads((folder / 'summary.json').read_text()), load(folder).summary
    assert now['verdict'] == then['verdict'] and now['controller'] == then['controller']
    assert now['metrics_mean'] == pytest.approx(then['metrics_mean'], abs=1e-6)


def test_a_change_of_a_parameter_under_an_old_name_starts_from_its_value(folder: Path) -> None:
    flown = read_run(folder).scenario
    assert value_of(flown, 'cooperative') is False
    assert value_of(flown, 'hops') == flown['control']['ring_hops'] == 3
    assert value_of(flown, 'nothing') is None
