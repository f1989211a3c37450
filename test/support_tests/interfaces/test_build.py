"""Building a message package: what it gives, when it is done, and what it says when it fails."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from support.cli import REPOSITORY
from support.interfaces import compilation
from support.interfaces.environment import FOLDER
from support.interfaces.packages import Package, packages
from support.interfaces.prefix import SITE
from support.interfaces.stamps import is_up_to_date, write_stamp

TINY = Package(
    'tiny_msgs', '',
    {
        'msg/Tiny.msg': 'uint8 LARGEST = 7\nstd_msgs/Header header\nfloat64[] values\n',
        'srv/Ask.srv': 'Tiny question\n---\nstring answer\n',
    },
    ('std_msgs', 'builtin_interfaces', 'service_msgs'),
)  # fmt: skip

ROUND_TRIP = """
from rclpy.serialization import deserialize_message, serialize_message
from tiny_msgs.msg import Tiny
from tiny_msgs.srv import Ask
made = Tiny(values=[1.5, 2.5])
made.header.frame_id = 'map'
assert deserialize_message(serialize_message(made), Tiny) == made
asked = Ask.Request(question=made)
assert deserialize_message(serialize_message(asked), Ask.Request) == asked
print(Tiny.LARGEST)
"""


def run(command, folder=None, **changes):
    """Run a program with the project's test modules."""
    environment = os.environ | {'PYTHONPATH': f'{REPOSITORY}:{REPOSITORY / "test"}'} | changes
    return subprocess.run(
        command, env=environment, cwd=folder, capture_output=True, text=True, timeout=100,
        check=False,
    )  # fmt: skip


def built(package, folder):
    """Build a package in a process of its own, as the generators keep much in mind."""
    code = f"""
from pathlib import Path
from support.interfaces.build import Builder
from support.interfaces.packages import Package
package = {package!r}
builder = Builder(Path({str(folder)!r}))
builder.add(package)
builder.end()
"""
    return run((sys.executable, '-c', code))


def test_a_package(tmp_path):
    ran = built(TINY, tmp_path)
    assert ran.returncode == 0, ran.stderr
    assert is_up_to_date(TINY, tmp_path)
    prefix = tmp_path / 'tiny_msgs'
    assert (prefix / 'share/tiny_msgs/msg/Tiny.msg').read_text('utf-8') == (
        TINY.files['msg/Tiny.msg']
    )
    index = prefix / 'share/ament_index/resource_index/packages/tiny_msgs'
    assert index.exists()
    assert [one.name for one in tmp_path.iterdir()] == ['tiny_msgs']
    paths = f'{prefix / SITE}:{REPOSITORY}'
    libraries = f'{prefix / "lib"}:{os.environ["LD_LIBRARY_PATH"]}'
    ran = run((sys.executable, '-c', ROUND_TRIP), PYTHONPATH=paths, LD_LIBRARY_PATH=libraries)
    assert (ran.stdout, ran.stderr) == ('7\n', '')


def test_a_changed_package_is_not_up_to_date(tmp_path):
    (tmp_path / 'tiny_msgs').mkdir()
    write_stamp(TINY, tmp_path / 'tiny_msgs')
    changed = TINY._replace(files=TINY.files | {'srv/Ask.srv': '---\n'})
    assert is_up_to_date(TINY, tmp_path)
    assert not is_up_to_date(changed, tmp_path)


def test_a_failure_leaves_nothing_that_looks_ready(tmp_path):
    wrong = TINY._replace(dependencies=('builtin_interfaces', 'service_msgs'))
    assert built(wrong, tmp_path).returncode != 0
    assert not (tmp_path / 'tiny_msgs').exists()


def test_all_that_this_distribution_builds_is_up_to_date():
    distribution = os.environ.get('ROS_DISTRO', 'kilted')
    assert all(is_up_to_date(package, FOLDER) for package in packages(distribution))


@pytest.mark.parametrize(
    ('name', 'value', 'expected'),
    [
        ('COMPILER', 'no-such-compiler', 'no compiler for C++; run: sudo apt install g++'),
        ('COMPILER', 'false', 'no compiler for C++; run: sudo apt install g++'),
        ('HEADERS', Path('/nowhere'), 'no Python.h of Python 3.'),
    ],
)
def test_what_is_missing_is_named(name, value, expected, monkeypatch):
    assert compilation.trouble() == ''
    monkeypatch.setattr(compilation, name, value)
    assert compilation.trouble().startswith(expected)


def test_what_is_missing_is_one_line(tmp_path):
    ran = run((sys.executable, '-m', 'support.interfaces.build', 'jazzy', tmp_path), PATH='')
    assert ran.returncode == 1
    assert ran.stderr == 'no compiler for C++; run: sudo apt install g++\n'
