"""Every figure and every column stands in docs/report.md."""

import pytest
from soliton_encirclement_ros.analysis.findings import AGENT_UNITS, find
from soliton_encirclement_ros.analysis.tables import tables_of
from soliton_encirclement_ros.core.ring.metrics import METRIC_NAMES
from soliton_encirclement_ros.core.scenario.scenario import Scenario
from support.recorded.recordings import recording_of, without

FLOWN = Scenario('short').with_changes({'run': {'sim_duration': 0.2, 'num_agents': 2}}, 'test')


@pytest.fixture(scope='module')
def page(repository):
    return (repository / 'docs' / 'report.md').read_text(encoding='utf-8')


def test_figures_have_their_unit(page):
    rows = {
        name: [cell.strip() for cell in line.split('|')[1:-1]]
        for line in page.replace('\\|', '').splitlines()
        if line.startswith('| `')
        for name in (*AGENT_UNITS, *METRIC_NAMES)
        if f'`{name}`' in line.split('|')[1]
    }
    assert {*rows} == {*AGENT_UNITS, *METRIC_NAMES}
    for name, unit in AGENT_UNITS.items():
        if unit:
            assert unit in rows[name][1], name


def test_columns_are_named(page):
    recording = without(recording_of(FLOWN), 'states', 'telemetry')
    for table in tables_of(recording, find(recording)):
        (line,) = [one for one in page.splitlines() if one.startswith(f'| `{table.name}` |')]
        for column in table.columns:
            where = page if column.name == 'velocity_norm' or table.name == 'target' else line
            assert f'`{column.name}`' in where, (table.name, column.name)
