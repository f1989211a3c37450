"""Old names of sections and parameters: read with one line, and never against a present name."""

from pathlib import Path

import pytest

from soliton_encirclement_ros.core.parameters.renamed_parameters import (
    RENAMED, RENAMED_SECTIONS, present_name, with_present_names
)
from soliton_encirclement_ros.core.scenario.overrides import idle_settings, requested_scenario
from soliton_encirclement_ros.core.scenario.scenario import Scenario, load_scenario
from velocity_mobility_ros.core.parameter_declaration import declarations

LINE = (
    'sight is now target_sensing, sight.cooperative is now target_sensing.target_broadcasts; '
    'rename them'
)
ESTIMATOR = Path(__file__).parents[3] / 'support' / 'laws' / 'ray_mean.py'


@pytest.mark.parametrize('section', RENAMED)
def test_present_names_are_there_and_old_ones_are_free(section: str) -> None:
    names = declarations(type(getattr(Scenario(), section))).keys()
    assert names >= set(RENAMED[section].values()) and names.isdisjoint(RENAMED[section])


def test_the_page_of_renames_has_all_of_them(repository: Path) -> None:
    page = (repository / 'docs' / 'reference' / 'renamed.md').read_text()
    pairs = [f'.{old}` | `{section}.{new}`' for section, names in RENAMED.items()
             for old, new in names.items()]  # fmt: skip
    pairs += [f'`{old}` | section `{new}`' for old, new in RENAMED_SECTIONS.items()]
    assert [pair for pair in pairs if pair not in page] == []


def test_a_file_under_old_names_is_the_same_scenario_and_one_line(tmp_path: Path) -> None:
    """Also of an estimator in a file beside it."""
    (tmp_path / 'mine.py').write_text(ESTIMATOR.read_text())
    old, new = tmp_path / 'old.yaml', tmp_path / 'new.yaml'
    values = 'estimator: mine.py, range_noise: 1.0}\nname: same'
    old.write_text(f'sight: {{cooperative: false, {values}')
    new.write_text(f'target_sensing: {{target_broadcasts: false, {values}')
    before, after = load_scenario(old), load_scenario(new)
    assert before == after and before.is_estimated
    assert before.target_sensing.estimator == str(tmp_path / 'mine.py')
    assert before.warnings == [LINE, *after.warnings]


def test_settings_under_old_names_are_read_as_the_present_ones() -> None:
    """Also texts that are no YAML, and those without effect are named by their present names."""
    settings = ['sight.cooperative=false', 'sight.blind_agents=2 5', 'safety.silent_run_on=1.5']
    scenario = requested_scenario('still', settings, '', {})
    assert scenario.is_estimated and scenario.target_sensing.blind_agents == '2 5'
    assert scenario.safety.silent_flight_time == 1.5
    assert scenario.warnings[:2] == [
        LINE, 'safety.silent_run_on is now safety.silent_flight_time; rename it',
    ]  # fmt: skip
    idle = requested_scenario('still', ['sight.sensor_range=9'], '', {})
    assert idle.warnings[0] == 'sight is now target_sensing; rename it'
    (line,) = idle_settings(idle, ['sight.sensor_range=9'])
    assert line.startswith('target_sensing.sensor_range = 9.0 has no effect')


def test_a_present_name_counts_whatever_an_old_one_says() -> None:
    content = {
        'target_sensing': {'target_broadcasts': True},
        'sight': {'cooperative': False, 'range_noise': 2.0},
    }
    values, lines = with_present_names(content)
    assert values == {'target_sensing': {'target_broadcasts': True, 'range_noise': 2.0}}
    assert lines == [LINE]


def test_what_is_no_mapping_is_left_to_those_who_refuse_it() -> None:
    assert with_present_names({'sight': 5, 'run': None, 7: 'x'}) == (
        {'target_sensing': 5, 'run': None, 7: 'x'},
        ['sight is now target_sensing; rename it'],
    )


@pytest.mark.parametrize(('old', 'law', 'present'), [
    ('sight.cooperative', None, 'target_sensing.target_broadcasts'),
    ('sight.range_noise', None, 'target_sensing.range_noise'),
    ('control.hops', None, 'control.ring_hops'),
    ('control.k_radius', 'predictive', 'control.k_r'),
    ('control.k_radius', 'franchi', 'control.k_radius'),
    ('run.seed', None, 'run.seed'),
    ('sight', None, 'target_sensing'),
])  # fmt: skip
def test_a_name_is_translated_for_the_law_that_had_it(
    old: str, law: str | None, present: str
) -> None:
    assert present_name(old, law) == present
