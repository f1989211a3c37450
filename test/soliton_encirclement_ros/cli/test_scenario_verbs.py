"""``swarm scenario``: what it prints is what there is."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from soliton_encirclement_ros.cli.app import app
from soliton_encirclement_ros.core.scenario.scenario import SECTIONS, load_scenario
from support.cli import environment
from velocity_mobility_ros.core.parameter_declaration import declarations
from velocity_mobility_ros.core.user_errors import MobilityError

REPOSITORY = Path(__file__).parents[3]
LONG = 'x' * 300
FILES = sorted((REPOSITORY / 'config' / 'scenarios').glob('*.yaml'))


def printed(*arguments: str) -> str:
    """Return what a call prints, which must succeed."""
    done = CliRunner().invoke(app, ['scenario', *arguments])
    assert done.exit_code == 0, done.output
    return done.stdout


def refused(*arguments: str) -> str:
    """Return the error of a call, which must fail."""
    done = CliRunner().invoke(app, ['scenario', *arguments])
    assert isinstance(done.exception, MobilityError), done.output
    return str(done.exception)


def test_the_documentation_lists_the_parameters_as_they_are() -> None:
    """``docs/reference/parameters.md`` holds exactly what the command prints."""
    text = (REPOSITORY / 'docs' / 'reference' / 'parameters.md').read_text(encoding='utf-8')
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


@pytest.mark.parametrize('file', FILES, ids=lambda file: file.stem)
def test_all_values_in_force_are_a_file_that_means_the_same(file: Path, tmp_path: Path) -> None:
    """Every key of every section is there, with its meaning, and reads back.

    Without ``--all`` the file itself is shown, comments included.
    """
    assert printed('show', file.stem) == file.read_text(encoding='utf-8')
    text = printed('show', '--all', file.stem)
    path = tmp_path / 'all.yaml'
    path.write_text(text, encoding='utf-8')
    scenario = load_scenario(file)
    assert load_scenario(path) == scenario
    for section in SECTIONS:
        for name, declaration in declarations(type(getattr(scenario, section))).items():
            assert f'\n  {name}: ' in text, section
            assert declaration.meaning in text


def test_odd_values_read_back(tmp_path: Path) -> None:
    """No lag, a text with colons, exponents."""
    path = tmp_path / 'odd.yaml'
    path.write_text(
        'mobility: {tau_xy: none}\nrun: {seed: 9007199254740992}\nswarm: {'
        "encirclement_radius: 1e-7}\nfailure: {failure_schedule: '1..2: 3; 4..: 5'}",
        encoding='utf-8',
    )
    again = tmp_path / 'again' / 'odd.yaml'
    again.parent.mkdir()
    again.write_text(printed('show', '--all', str(path)), encoding='utf-8')
    assert load_scenario(again) == load_scenario(path)
    assert '  tau_xy: none ' in again.read_text(encoding='utf-8')


def test_a_scenario_is_copied_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """By default beside us; nothing is overwritten."""
    monkeypatch.chdir(tmp_path)
    assert printed('copy', 'demo') == 'demo.yaml: edit it, then run: swarm simulate demo.yaml\n'
    assert Path('demo.yaml').read_text() == printed('show', 'demo')
    Path('demo.yaml').write_text('mine')
    assert 'demo.yaml: already exists; name another file' in refused('copy', 'demo')
    assert Path('demo.yaml').read_text() == 'mine'
    Path('below').mkdir()
    for given, made in (('my own.yml', 'my own.yml'), ('below', 'below/still.yaml')):
        printed('copy', 'still', given)
        assert Path(made).read_text() == printed('show', 'still')


@pytest.mark.parametrize(
    ('arguments', 'words'),
    [
        (('copy', 'demo', 'x.mcap'), 'x.mcap: the name must end in one of .yaml, .yml'),
        (('copy', 'demo', 'no/where.yaml'), 'no/where.yaml: cannot write: No such file'),
        (('copy', 'demo', LONG + '.yaml'), '.yaml: cannot read: File name too long'),
        (('check', LONG), ': cannot read: File name too long'),
        (('copy', __file__, 'z.yaml'), 'not valid YAML'),
        (('show', 'demoo'), 'demoo: no such scenario file'),
    ],
)
def test_what_cannot_be_shown_or_copied_is_named(
    arguments: tuple, words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One line, nothing written."""
    monkeypatch.chdir(tmp_path)
    assert words in refused(*arguments)
    assert not [*tmp_path.iterdir()]


def test_a_check_prints_every_value_as_json() -> None:
    """All sections are there, defaults included."""
    values = json.loads(printed('check', 'demo', '--json'))
    assert set(values) == {'name', *SECTIONS}
    assert values['swarm']['encirclement_radius'] == 20.0


def test_a_copy_that_finds_no_room_leaves_no_file(tmp_path: Path) -> None:
    """An empty one would be a scenario as well, of nothing but defaults."""
    code = 'from soliton_encirclement_ros.cli.main import main; exit(main())'
    done = subprocess.run(
        ['bash', '-c', 'ulimit -f 0; exec "$@"', 'bash', sys.executable, '-c', code,
         'scenario', 'copy', 'demo', 'own.yaml'],
        cwd=tmp_path, env=environment(0), capture_output=True, text=True, check=False, timeout=60,
    )  # fmt: skip
    assert done.returncode == 2
    assert done.stderr == ('error: own.yaml: cannot write: File too large; name another file\n')
    assert list(tmp_path.iterdir()) == []
