"""The fuzzer: its messages, its faults, and that it finds mistakes put in on purpose."""

import json
import math
import random
import subprocess
import sys
import warnings
from collections.abc import Callable
from pathlib import Path

import pytest
from diagnostic_msgs.msg import DiagnosticArray, DiagnosticStatus, KeyValue
from fuzz_parts.flood import illegal
from fuzz_parts.messages import MIX, WAYS, kind_of, make, read, write
from fuzz_parts.reader import Reader, try_input
from fuzz_parts.readers import READERS
from fuzz_parts.search import mutate
from geometry_msgs.msg import Twist, TwistStamped
from nav_msgs.msg import Odometry
from rcl_interfaces.srv import SetParameters
from rclpy.serialization import deserialize_message, serialize_message
from sensor_msgs.msg import JointState

from support.cli import REPOSITORY, environment

pytestmark = pytest.mark.ros

SOUND = [
    Odometry(child_frame_id='uav_1/base_link'), Twist(), TwistStamped(),
    JointState(name=['uav_1/x', 'uav_1/seq'], position=[1.0, 2.0]),
    DiagnosticArray(status=[DiagnosticStatus(level=b'\2', values=[KeyValue(key='a', value='b')])]),
]  # fmt: skip
FORMS = (Odometry, JointState, DiagnosticArray, SetParameters.Request)
SLOW = ('mcap', 'sqlite', 'bag_messages', 'sweep')


@pytest.mark.parametrize('message', SOUND, ids=lambda one: type(one).__name__)
def test_messages_are_read_and_written_as_by_ros(message: object) -> None:
    data, kind = serialize_message(message), kind_of(type(message))
    assert deserialize_message(write(kind, read(kind, data)), type(message)) == message


@pytest.mark.parametrize('form', FORMS, ids=lambda form: form.__name__)
def test_a_message_depends_on_seed_and_number_alone(form: type) -> None:
    def made(seed: str) -> list[tuple[str, bytes]]:
        sound, kind = [serialize_message(form())], kind_of(form)
        return [make(seed, k, kind, sound, [b'uav_1'], 10**18, MIX) for k in range(300)]

    assert made('1') == made('1') != made('2')
    assert {way for way, _ in made('1')} == {*WAYS}
    drawn = [data for way, data in made('1') if way == 'drawn']
    assert all(isinstance(deserialize_message(data, form), form) for data in drawn)


@pytest.mark.parametrize('name', READERS)
def test_changed_inputs_are_read_or_refused_in_one_line(name: str) -> None:
    reader, rng = READERS[name](), random.Random(name)
    inputs = [*reader.seeds[:20]]
    inputs += [mutate(rng.choice(reader.seeds), rng) for _ in range(4 if name in SLOW else 150)]
    found = {finding for data in inputs if (finding := try_input(reader, data))}
    assert found == set()


def _warn() -> None:
    warnings.warn('overflow', RuntimeWarning, stacklevel=1)


def _refuse(line: str) -> None:
    raise ValueError(line)


@pytest.mark.parametrize(('fails', 'kind'), [
    (lambda: {}['a'], 'KeyError at test_fuzz.py:'), (_warn, 'RuntimeWarning at test_fuzz.py:'),
    (lambda: _refuse('two\nlines'), 'not one line: ValueError'),
    (lambda: _refuse(''), 'not one line: ValueError'), (lambda: _refuse('a line'), None),
])  # fmt: skip
def test_what_a_reader_does_wrong_is_found(fails: Callable[[], object], kind: str | None) -> None:
    reader = Reader(lambda data: b'\xff' in data and fails(), (ValueError,), [b'a: b'])
    rng = random.Random(1)
    found = {try_input(reader, mutate(b'a: b', rng)) for _ in range(300)} - {None}
    assert [one.kind.rstrip('0123456789') for one in found] == ([] if kind is None else [kind])


@pytest.mark.parametrize(('x', 'is_legal'), [(3.0, True), (math.nan, False), (1e6, False)])
def test_a_command_that_no_vehicle_may_get_is_illegal(x: float, is_legal: bool) -> None:
    for message in (Twist(), TwistStamped()):
        getattr(message, 'twist', message).linear.x = x
        kind = f'geometry_msgs/msg/{type(message).__name__}'
        assert (illegal('/cmd_vel', kind, serialize_message(message)) == '') is is_legal


@pytest.mark.slow
@pytest.mark.parametrize('mistake', ['', 'crash'])
def test_a_node_survives_a_flood_unless_a_mistake_is_put_in(tmp_path: Path, mistake: str) -> None:
    words = ('nodes', '--node', 'limiter', '--messages', '400', '--minutes', '0.5', '--quick')
    flood = subprocess.run(
        [sys.executable, REPOSITORY / 'bench' / 'fuzz.py', *words, '--out', tmp_path],
        env=environment(0) | {'FUZZ_MISTAKE': mistake}, capture_output=True, text=True,
        check=False,
    )  # fmt: skip
    result = json.loads((tmp_path / 'limiter' / 'result.json').read_text())
    assert flood.returncode == (1 if mistake else 0), flood.stdout + flood.stderr
    if mistake:
        assert any('a mistake on purpose' in line for line in result['faults'])
        assert json.loads((tmp_path / 'limiter' / 'reproducer.json').read_text())['window']
    else:
        assert result['taken'] >= 400 and result['answered'] > 0
