"""What a wheel carries and where a virtual environment finds it."""

import shutil
import stat
import subprocess
import sys
import zipfile
from importlib.metadata import distribution
from importlib.util import find_spec
from pathlib import Path
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


@pytest.mark.parametrize('script', SCRIPTS, ids=lambda script: script.name)
def test_entry_point_exists(script) -> None:
    assert find_spec(script.module), script.value


@pytest.mark.slow
@pytest.mark.parametrize('script', SCRIPTS, ids=lambda script: script.name)
def test_wheel_has_an_executable_where_ros2_run_looks(script, wheel) -> None:
    mode = wheel[f'lib/{PACKAGE}/{script.name}'].external_attr >> 16
    assert mode & stat.S_IXUSR


@pytest.mark.slow
@pytest.mark.parametrize('folder', ['config', 'launch'])
def test_wheel_has_every_shared_file(folder, wheel) -> None:
    files = [p for p in (ROOT / folder).rglob('*') if p.is_file() and '__pycache__' not in p.parts]
    assert not [p for p in files if f'share/{PACKAGE}/{p.relative_to(ROOT)}' not in wheel]


@pytest.mark.slow
def test_wheel_is_in_the_package_index(wheel) -> None:
    assert f'share/ament_index/resource_index/packages/{PACKAGE}' in wheel
