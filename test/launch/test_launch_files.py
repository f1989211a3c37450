"""What can be said about the launch files without launch: they know only the plan."""

import ast
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).resolve().parents[2]
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
