"""``swarm scenario``: what it prints is what there is."""

import json
from pathlib import Path

from soliton_encirclement_ros.cli.app import app
from soliton_encirclement_ros.core.scenario import SECTIONS, load_scenario
from typer.testing import CliRunner

REPOSITORY = Path(__file__).parents[3]


def printed(*arguments: str) -> str:
    """Return what a call prints, which must succeed."""
    done = CliRunner().invoke(app, ['scenario', *arguments])
    assert done.exit_code == 0, done.output
    return done.stdout


def test_the_documentation_lists_the_parameters_as_they_are() -> None:
    """``docs/parameters.md`` holds exactly what the command prints."""
    text = (REPOSITORY / 'docs' / 'parameters.md').read_text(encoding='utf-8')
    assert text.endswith(printed('parameters', '--markdown'))


def test_every_scenario_that_comes_along_is_listed_and_valid() -> None:
    """Each has a first line that says what it is, and passes its own check."""
    listed = printed('list')
    files = sorted((REPOSITORY / 'config' / 'scenarios').glob('*.yaml'))
    assert len(listed.splitlines()) == len(files) >= 3
    for file in files:
        assert file.stem in listed
        assert f'{load_scenario(file).name}: valid; ' in printed('check', str(file))


def test_what_only_the_simulation_can_fly_is_valid_and_said_so(tmp_path: Path) -> None:
    """Nodes cannot run it, which is no mistake of the scenario."""
    path = tmp_path / 'offline.yaml'
    path.write_text('run: {rng: reference}', encoding='utf-8')
    said = printed('check', str(path))
    assert said.startswith('offline: valid; 10 agents')
    assert 'no nodes, only for `swarm simulate` and `swarm sweep`: run.' in said
    assert said.count('\n') == 1


def test_a_check_prints_every_value_as_json() -> None:
    """All sections are there, defaults included."""
    values = json.loads(printed('check', 'demo', '--json'))
    assert set(values) == {'name', *SECTIONS}
    assert values['swarm']['encirclement_radius'] == 20.0
