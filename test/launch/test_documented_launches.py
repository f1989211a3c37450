"""The commands in the docs name launch files and arguments that there are."""

import re
import shlex
from pathlib import Path

import pytest

from soliton_encirclement_ros.core.scenario.scenario import scenario_from_dict
from soliton_encirclement_ros.core.scenario.user_files import read_yaml
from support.pages import PAGES, blocks, text_of
from support.ros.launched import PACKAGE, declared_arguments

REPOSITORY = Path(__file__).resolve().parents[2]
COMMAND = re.compile(rf'ros2 launch {PACKAGE} ([a-z0-9.]+) ?([^#\n`|]*)')


def commands() -> list[tuple[str, list[str]]]:
    """Return launch file and names of arguments of every command in the docs."""
    found = [hit for page in PAGES for hit in COMMAND.findall(text_of(page))]
    return [
        (file, [word.partition(':=')[0] for word in shlex.split(arguments) if ':=' in word])
        for file, arguments in found
    ]


def test_every_launch_file_is_in_the_docs() -> None:
    """And with the arguments that the docs give."""
    files = {path.name for path in (REPOSITORY / 'launch').glob('*.launch.py')}
    text = ''.join(map(text_of, PAGES))
    assert {file for file in files if file not in text} == set()


@pytest.mark.parametrize(('file', 'names'), commands())
def test_the_arguments_are_declared(file: str, names: list[str]) -> None:
    """``ros2 launch`` takes the command as it stands."""
    assert set(names) <= declared_arguments(file)


def test_the_scenario_of_the_page_is_valid() -> None:
    """The lines that are to become ``field.yaml``."""
    lines = blocks('docs/how_to/swarm_by_hand.md', 'yaml')[0].text
    scenario = scenario_from_dict(read_yaml(lines), 'field', 'the page')
    assert scenario.run.num_agents == 3
