"""``swarm vehicle``: the included vehicles, and how they answer the same commands."""

from pathlib import Path

import pytest
from PIL import Image
from typer.testing import CliRunner

from soliton_encirclement_ros.cli.app import app
from velocity_mobility_ros.core.user_errors import MobilityError

REPOSITORY = Path(__file__).parents[3]
FILES = sorted((REPOSITORY / 'config' / 'vehicles').glob('*.yaml'))


def printed(*arguments: object) -> str:
    done = CliRunner().invoke(app, ['vehicle', *map(str, arguments)])
    assert done.exit_code == 0, done.output
    return done.stdout


def test_it_lists_the_included_vehicles():
    text = printed('list')
    assert len(FILES) >= 6
    for file in FILES:
        assert f' {file.stem} ' in text
    assert ' quadrotor ' in text and ' tracked ' in text and ' kinematic ' in text


def test_it_compares_vehicles_by_the_same_steps_and_draws_them(tmp_path):
    picture = tmp_path / 'steps.png'
    text = printed('compare', 'default', 'x500', '--out', picture)
    assert text.count(' forward 5 m/s ') == text.count(' stop ') == 2
    assert f'picture: {picture}' in text
    with Image.open(picture) as image:
        assert min(image.size) > 600


def test_an_edited_copy_is_another_vehicle_and_the_same_one_is_not(tmp_path):
    (tmp_path / 'mine.yaml').write_text('name: default\nmobility: {tau_xy: 2.0}\n')
    named = ('default', tmp_path / 'mine.yaml', 'default')
    text = printed('compare', *named, '--out', tmp_path / 'steps.png')
    assert text.count(' stop ') == 2 and 'mine.yaml' in text


@pytest.mark.parametrize(
    ('arguments', 'line'),
    [
        (('foo',), 'foo: no such vehicle file; included vehicles: '),
        (('default', '--out', '/nowhere/x.png'), '/nowhere/x.png: cannot write the picture'),
        (('default', '--out', 'x.foo'), 'x.foo: cannot write the picture: '),
    ],
)
def test_what_cannot_be_compared_is_one_line(arguments, line, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    done = CliRunner().invoke(app, ['vehicle', 'compare', *arguments])
    assert isinstance(done.exception, MobilityError)
    assert line in str(done.exception) and '\n' not in str(done.exception)
