"""What a wheel carries and where a virtual environment finds it."""

import ast
import re
import shutil
import stat
import subprocess
import sys
import zipfile
from importlib.metadata import distribution
from importlib.util import find_spec
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from velocity_mobility_ros import __version__

ROOT = Path(__file__).parent.parent
PACKAGE = 'soliton_encirclement_ros'
SCRIPTS = [script for script in distribution(PACKAGE).entry_points]
BUILD_INPUTS = ('setup.py', 'setup.cfg', 'pyproject.toml', 'package.xml', 'LICENSE', 'resource',
                'config', 'launch', 'velocity_mobility_ros', PACKAGE)  # fmt: skip


@pytest.fixture(scope='module')
def wheel(tmp_path_factory: pytest.TempPathFactory) -> dict[str, zipfile.ZipInfo]:
    """Build a wheel from a copy, so that no build folder is left in the source tree."""
    source, target = tmp_path_factory.mktemp('source'), tmp_path_factory.mktemp('wheel')
    for name in BUILD_INPUTS:
        copy = shutil.copytree if (ROOT / name).is_dir() else shutil.copy
        copy(ROOT / name, source / name)
    pip = [sys.executable, '-m', 'pip', 'wheel', '--quiet', '--no-deps', '--no-build-isolation']
    subprocess.run([*pip, '--wheel-dir', target, source], check=True)
    with zipfile.ZipFile(next(target.glob('*.whl'))) as archive:
        data = f'{PACKAGE}-{__version__}.data/data/'
        return {info.filename.removeprefix(data): info for info in archive.infolist()}


def test_package_xml_has_the_version() -> None:
    assert ElementTree.parse(ROOT / 'package.xml').findtext('version') == __version__


def test_entry_points_exist() -> None:
    assert SCRIPTS and all(find_spec(script.module) for script in SCRIPTS)


@pytest.mark.slow
def test_a_wheel_has_every_shared_file_and_executables_where_ros2_run_looks(wheel) -> None:
    for script in SCRIPTS:
        mode = wheel[f'lib/{PACKAGE}/{script.name}'].external_attr >> 16
        assert mode & stat.S_IXUSR, script.name
    shared = [path for folder in ('config', 'launch') for path in (ROOT / folder).rglob('*')]
    files = [path for path in shared if path.is_file() and '__pycache__' not in path.parts]
    assert not [path for path in files if f'share/{PACKAGE}/{path.relative_to(ROOT)}' not in wheel]
    assert f'share/ament_index/resource_index/packages/{PACKAGE}' in wheel


def pins(name: str) -> dict[str, str]:
    """Return the versions of a requirements file by library."""
    lines = (ROOT / 'requirements' / name).read_text().splitlines()
    return dict(line.split(';')[0].strip().split('==') for line in lines if '==' in line)


def of_setup(name: str) -> Any:
    """Return a list or mapping of texts in setup.py: a name, or an argument of ``setup``."""
    for node in ast.walk(ast.parse((ROOT / 'setup.py').read_text(encoding='utf-8'))):
        if isinstance(node, ast.Assign) and node.targets[0].id == name:
            return ast.literal_eval(node.value)
        if isinstance(node, ast.keyword) and node.arg == name:
            return ast.literal_eval(node.value)
    raise AssertionError(name)


NEEDED = {re.split('[<>=]', one)[0]: one for one in of_setup('INSTALL')}
OLDEST, NEWEST = pins('noble.txt'), pins('run.txt')


@pytest.mark.parametrize('name', sorted(NEEDED.keys() - {'setuptools', 'rosbags'}))
def test_the_lowest_version_allowed_is_the_one_that_is_tested(name) -> None:
    assert NEEDED[name] == f'{name}>={OLDEST[name]}'
    assert name in NEWEST


def test_a_version_of_rosbags_that_was_not_tried_is_refused() -> None:
    major, minor, _ = NEWEST['rosbags'].split('.')
    low, high = f'>={NEWEST["rosbags"]}', f'<{major}.{int(minor) + 1}'
    assert NEEDED['rosbags'] == f'rosbags{low},{high}'
    assert 'rosbags' not in OLDEST


KEYS = {
    'rclpy', 'ament_index_python', 'builtin_interfaces', 'launch', 'launch_ros', 'ros2launch',
    'launch_pytest',
    'diagnostic_msgs', 'geometry_msgs', 'nav_msgs', 'rcl_interfaces', 'rosgraph_msgs',
    'sensor_msgs', 'std_msgs', 'std_srvs', 'tf2_msgs', 'tf2_ros_py',
    'visualization_msgs',
    'python3-hypothesis', 'python3-matplotlib', 'python3-numpy', 'python3-pandas',
    'python3-pytest', 'python3-pytest-timeout', 'python3-rich', 'python3-scipy',
    'python3-transforms3d', 'python3-typer', 'python3-yaml',
}  # fmt: skip
"""What rosdep resolves to packages of apt on Ubuntu 24.04 with Jazzy.

No key: plotly, pyarrow, orjson. A key, but no package in noble: python3-numba. A key that
makes pip write into the system: python3-rosbags-pip.
"""


def test_package_xml_asks_rosdep_for_what_apt_has() -> None:
    depends = [
        child.text
        for child in ElementTree.parse(ROOT / 'package.xml').getroot()
        if child.tag.endswith('depend')
    ]
    assert set(depends) <= KEYS


def test_the_workspace_recipe_brings_the_rest() -> None:
    recipe = (ROOT / 'requirements' / 'workspace.txt').read_text().splitlines()
    named = {re.split('[<>=]', line)[0] for line in recipe if line and line[0] != '#'}
    package = (ROOT / 'package.xml').read_text()
    by_apt = {name for name in NEEDED if f'python3-{name.lower()}<' in package}
    by_apt |= {'PyYAML', 'setuptools'}
    assert NEEDED.keys() - by_apt <= named | {'lz4', 'zstandard'}
    assert 'numpy<2' in recipe
