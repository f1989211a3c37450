"""Launch files and docs without launch: files and arguments that are named exist; imports."""

import ast
import re
import shlex
from pathlib import Path

import pytest
from soliton_encirclement_ros.core.files.yaml_text import read_yaml
from soliton_encirclement_ros.core.scenario.scenario import scenario_from_dict
from support.ros.launched import PACKAGE, declared_arguments

REPOSITORY = Path(__file__).resolve().parents[2]
PAGES = [REPOSITORY / 'README.md', *sorted((REPOSITORY / 'docs').glob('*.md'))]
COMMAND = re.compile(rf'ros2 launch {PACKAGE} ([a-z0-9.]+) ?([^#\n`|]*)')


def commands() -> list[tuple[str, list[str]]]:
    """Return launch file and names of arguments of every command in the docs."""
    found = [hit for page in PAGES for hit in COMMAND.findall(page.read_text(encoding='utf-8'))]
    return [
        (file, [word.partition(':=')[0] for word in shlex.split(arguments) if ':=' in word])
        for file, arguments in found
    ]


def test_every_launch_file_is_in_the_docs() -> None:
    """And with the arguments that the docs give."""
    files = {path.name for path in (REPOSITORY / 'launch').glob('*.launch.py')}
    text = ''.join(page.read_text(encoding='utf-8') for page in PAGES)
    assert {file for file in files if file not in text} == set()


@pytest.mark.parametrize(('file', 'names'), commands())
def test_the_arguments_are_declared(file: str, names: list[str]) -> None:
    """``ros2 launch`` takes the command as it stands."""
    assert set(names) <= declared_arguments(file)


def test_the_scenario_of_the_page_is_valid() -> None:
    """The lines that are to become ``field.yaml``."""
    page = (REPOSITORY / 'docs' / 'swarm_by_hand.md').read_text(encoding='utf-8')
    lines = page.split('`field.yaml` of this page:\n\n')[1].split('\n\n')[0]
    scenario = scenario_from_dict(read_yaml(lines), 'field', 'the page')
    assert scenario.run.num_agents == 3


LAUNCH_FILES = sorted((REPOSITORY / 'launch').glob('*.launch.py'))
SHARED = sorted((REPOSITORY / 'soliton_encirclement_ros' / 'launching').glob('*.py'))
OURS = ('velocity_mobility_ros', 'soliton_encirclement_ros')
ALLOWED = ('soliton_encirclement_ros.core.', 'soliton_encirclement_ros.launching.')


def tree_of(path: Path) -> ast.Module:
    """Return the syntax tree of a file."""
    return ast.parse(path.read_text(encoding='utf-8'), str(path))


@pytest.mark.parametrize('path', LAUNCH_FILES, ids=lambda path: path.name)
def test_imports_only_the_core_of_ours(path: Path) -> None:
    """Nodes are started by name, never imported, not even within a function."""
    tree = tree_of(path)
    froms = [node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)]
    plain = [
        alias.name
        for node in ast.walk(tree)
        if isinstance(node, ast.Import)
        for alias in node.names
    ]
    ours = [name for name in (*froms, *plain) if name.partition('.')[0] in OURS]
    assert ours
    assert [name for name in ours if not f'{name}.'.startswith(ALLOWED)] == []


def test_every_argument_is_described() -> None:
    """``--show-args`` explains every argument, and every argument has a default."""
    trees = [tree_of(path) for path in (*LAUNCH_FILES, *SHARED)]
    calls = [node for tree in trees for node in ast.walk(tree) if isinstance(node, ast.Call)]
    declared = [call for call in calls if getattr(call.func, 'id', '') == 'DeclareLaunchArgument']
    assert len(declared) > 15
    for call in declared:
        keywords = {keyword.arg for keyword in call.keywords}
        assert {'description', 'default_value'} <= keywords, ast.unparse(call)
