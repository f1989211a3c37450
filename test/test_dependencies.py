"""Each library that is declared is imported, and the other way round; each has its reason."""

import ast
import re
import sys
from pathlib import Path
from xml.etree import ElementTree

from test_packaging import of_setup, pins

ROOT = Path(__file__).parent.parent
OURS = ('velocity_mobility_ros', 'soliton_encirclement_ros')

DISTRIBUTION = {
    'yaml': 'PyYAML', 'foxglove': 'foxglove-sdk', 'rerun': 'rerun-sdk',
    'click': 'typer', 'llvmlite': 'numba', 'PIL': 'matplotlib',
}  # fmt: skip
"""What brings a module of another name; the last three come with what is built on them."""

NOT_IMPORTED = {'optuna', 'setuptools', 'websockets'}
"""Declared, not imported: bench/tune_laws.py does, colcon asks for it, uvicorn finds it."""

NOT_IMPORTED_OF_ROS = {'ros2launch', 'tf2_ros_py'}
"""ROS packages that are run, or that bring a module which is looked for by name (tf2_ros)."""


def imported() -> set[str]:
    """Return the modules of others that the packages and launch files import, wherever it is."""
    found = set()
    for folder in (*OURS, 'launch'):
        for path in (ROOT / folder).rglob('*.py'):
            for node in ast.walk(ast.parse(path.read_text(encoding='utf-8'))):
                if isinstance(node, ast.Import):
                    found |= {alias.name.partition('.')[0] for alias in node.names}
                elif isinstance(node, ast.ImportFrom) and not node.level:
                    found.add(node.module.partition('.')[0])
    return found - {*sys.stdlib_module_names, *OURS}


def of_ros() -> set[str]:
    """Return the packages of ROS that package.xml names for running."""
    root = ElementTree.parse(ROOT / 'package.xml').getroot()
    names = {one.text for one in root if one.tag == 'exec_depend'}
    return {name for name in names if not name.startswith('python3-')}


def declared() -> tuple[set[str], set[str]]:
    """Return the libraries that setup.py names: those installed always, and the optional ones."""
    extras = of_setup('extras_require')
    optional = [line for name, lines in extras.items() if name != 'test' for line in lines]
    return tuple({re.match(r'[\w-]+', one)[0] for one in part}
                 for part in (of_setup('INSTALL'), optional))  # fmt: skip


def test_what_is_imported_is_declared_and_the_other_way_round() -> None:
    """ROS in package.xml, all else in setup.py."""
    always, optional = declared()
    names = {DISTRIBUTION.get(name, name) for name in imported() - of_ros()}
    assert names == (always | optional) - NOT_IMPORTED
    assert of_ros() - imported() == NOT_IMPORTED_OF_ROS


def test_make_sim_installs_what_flying_needs_and_nothing_for_tests() -> None:
    """Above the blank line what is imported, below what that needs itself."""
    always, _ = declared()
    assert {*_top('run.txt')} == always - {'setuptools', 'lz4', 'zstandard'}
    assert always - {'setuptools'} <= pins('run.txt').keys()
    assert not pins('run.txt').keys() & {*_top('test.txt')}


def test_each_has_its_reason_in_the_docs() -> None:
    """And the page names nothing that is not there."""
    page = (ROOT / 'docs' / 'reference' / 'dependencies.md').read_text(encoding='utf-8')
    tables = page.partition('Not on PyPI')[0]
    rows = re.findall(r'^\| ([\w, .-]+?) \|', tables, re.MULTILINE)
    told = {name for row in rows for name in row.split(', ')}
    always, optional = declared()
    tools = {*_top('test.txt'), *_top('docs.txt')}
    known = (always | optional | tools | {'empy'}) - {'setuptools'}
    assert told - {'library', '---', 'rclpy and message packages'} == known
    [missing] = re.findall(r'with all of the optional ones but ([\w, ]+):', page)
    assert {*re.split(', | and ', missing)} == optional - tools


def test_one_environment_holds_what_flies_tests_and_makes_the_site() -> None:
    """`make docs` changes no version that the others have."""
    others = {**pins('run.txt'), **pins('test.txt')}
    site = pins('docs.txt')
    assert {name: others[name] for name in site.keys() & others.keys()}.items() <= site.items()


def _top(name: str) -> list[str]:
    text = (ROOT / 'requirements' / name).read_text().partition('\n\n')[0]
    return [line.partition('==')[0] for line in text.splitlines() if '==' in line]
