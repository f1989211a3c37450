"""Names of scenarios, vehicles and sweeps, given or made from a file's."""

from pathlib import Path

import pytest
from soliton_encirclement_ros.core.errors import ScenarioError
from soliton_encirclement_ros.core.files.valid_name import MAX_LENGTH, checked_name, name_from


@pytest.mark.parametrize(
    ('file', 'name'),
    [
        ('quad.yaml', 'quad'),
        ('my quad.v2.yaml', 'my_quad.v2'),
        ('_.-x.yaml', 'x'),
        ('größe.yaml', 'größe'),
        ('___.yaml', 'default'),
        ('a' * 150 + '.yaml', 'a' * MAX_LENGTH),
    ],
)
def test_a_name_made_from_a_file_is_allowed(file, name):
    made = name_from(Path('/some/where', file), 'default')
    assert made == name
    assert checked_name(made, 'file') == name


TOO_LONG = 'x' * (MAX_LENGTH + 1)


@pytest.mark.parametrize('name', ['', 'a/b', '..', '_x', '-x', 'a b', TOO_LONG, 3, None])
def test_other_names_are_refused(name):
    with pytest.raises(ScenarioError, match=r'^file: name = .* at most 100 letters, digits and '):
        checked_name(name, 'file')
